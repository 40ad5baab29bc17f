import type { ReplyChange } from '../../modules/messaging/index.js';
import type { FinalResponse } from '../../modules/protocols/index.js';
import type { RecordedRound } from '../../modules/turns/index.js';
import {
  annotationsOf,
  functionCallItem,
  messageItem,
  plainText,
  reasoningItem,
  type OutputItem,
  type OutputStatus,
} from './output-items.js';
import { itemId } from './response-ids.js';
import { ResponseSequence, type ResponseEvent, type Room, type Slot } from './response-sequence.js';

interface OpenItem {
  readonly kind: 'message' | 'reasoning';
  readonly id: string;
  readonly room: Room;
  readonly index: number;
  told: string;
}

/** The part of a reply that a response is. */
export interface ItemsOf {
  readonly messageId: string;
  /** As `Exchange.from.step`. The changes before it come too. */
  readonly part?: number | undefined;
  /** The stored calls of the model, for pieces that have been deleted. */
  readonly rounds?: readonly RecordedRound[] | undefined;
  /** The number of the last event that the reader has. */
  readonly after?: number | undefined;
}

/**
 * The events of the output items of a response. Each call of the model has an item for what it says, and one for what it thinks; a text that
 * another attempt replaces ends as incomplete. What goes out depends only on what is stored, and not on when it is read.
 */
export class ResponseItems {
  private hasBegun: boolean;
  private hasEnded = false;
  private firstAttempt: number | undefined;
  private attempt = 1;
  private actions = 0;
  /** Number of the model's call among the steps. */
  private step: number;
  /** How often the attempt had begun its text again before the model's call. */
  private restartBefore = 0;
  private restart = 0;
  private hasText = false;
  /** The whole text that was said last, before and in this part. */
  private current = '';
  private text = 0;
  private open: OpenItem | undefined;
  private count = 0;

  constructor(private readonly of: ItemsOf) {
    this.hasBegun = of.part === undefined;
    this.step = of.part ?? 0;
  }

  /** Whether the model has been asked. */
  get isRunning(): boolean {
    return this.firstAttempt !== undefined;
  }

  /** Number of an event behind all others. */
  get endNumber(): number {
    return ResponseSequence.end(this.slot(1));
  }

  take(change: ReplyChange): ResponseEvent[] {
    if (!this.hasBegun) this.wait(change);
    else if (!this.hasEnded) return this.follow(change);
    return [];
  }

  private follow(change: ReplyChange): ResponseEvent[] {
    switch (change.kind) {
      case 'begun':
        return this.begin(change.attempt);
      case 'reasoning':
        return this.think(change.text);
      case 'text':
        return this.hear(change);
      case 'action':
        return change.status === 'started' ? this.act(change.step) : this.goOn(change.step);
      case 'suspended':
        this.hasEnded = true;
        return this.endCall();
      case 'completed':
      case 'failed':
        this.hasEnded = true;
        return [];
      default:
        return [];
    }
  }

  /** What comes at the end of a response. */
  end({ text, reason, calls, citations }: Pick<FinalResponse, 'text' | 'reason' | 'calls' | 'citations'>): ResponseEvent[] {
    if (reason === 'tool-calls') return calls.flatMap((call, index) => this.call(call, index));
    const events = this.recordedThoughts();
    const said = plainText(text);
    if (said === '') return [...events, ...this.close('incomplete')];
    if (this.open?.kind === 'message' && !said.startsWith(this.open.told)) {
      events.push(...this.close('incomplete'));
      this.text += 1;
    }
    events.push(...this.sayStored(said));
    const status = reason === 'stop' ? 'completed' : 'incomplete';
    return [...events, ...this.close(status, { phase: 'final_answer', annotations: annotationsOf(said, citations) })];
  }

  /** What comes at the end of a response that failed. */
  fail(): ResponseEvent[] {
    return [...this.openLost(), ...this.close('incomplete')];
  }

  private wait(change: ReplyChange): void {
    if (change.kind === 'text') this.current = `${change.reset ? '' : this.current}${change.text}`;
    else if (change.kind === 'resumed' && change.step === this.of.part) this.hasBegun = true;
  }

  private begin(attempt: number): ResponseEvent[] {
    const events = [...this.openLost(), ...this.close('incomplete')];
    this.firstAttempt ??= attempt;
    Object.assign(this, { attempt, actions: 0, restartBefore: 0, restart: 0, hasText: false });
    return events;
  }

  /** The item that the reader had when its server was killed, if nothing of it had been stored: it has to end, too. */
  private openLost(): ResponseEvent[] {
    if (this.open || this.firstAttempt === undefined) return [];
    const text = ResponseSequence.textAt(this.slot(), this.of.after);
    if (text === undefined) return ResponseSequence.isThoughtAt(this.slot(), this.of.after) ? this.openThoughts() : [];
    this.text = text;
    return this.openMessage();
  }

  private think(text: string): ResponseEvent[] {
    if (this.open?.kind === 'message') return [];
    return [...(this.open ? [] : this.openThoughts()), ...this.tell(text)];
  }

  private openThoughts(): ResponseEvent[] {
    const id = itemId('rs', this.of.messageId, this.step, this.attempt);
    return this.openItem('reasoning', id, ResponseSequence.reasoning(this.slot()), reasoningItem(id, undefined));
  }

  private openMessage(): ResponseEvent[] {
    const id = itemId('msg', this.of.messageId, this.step, this.attempt, this.text);
    return this.openItem('message', id, ResponseSequence.text(this.slot(), this.text), messageItem(id, undefined, 'in_progress'));
  }

  private hear({ text, reset, restart }: Extract<ReplyChange, { kind: 'text' }>): ResponseEvent[] {
    const again = Math.max(restart - this.restartBefore, 0);
    const events = this.open?.kind === 'message' && again !== this.text ? this.close('incomplete') : [];
    Object.assign(this, { restart, text: again });
    this.current = `${reset ? '' : this.current}${text}`;
    this.hasText ||= this.current !== '';
    const said = plainText(this.current);
    return said === '' ? events : [...events, ...this.say(said)];
  }

  /** @param said the whole text of the model's call */
  private say(said: string): ResponseEvent[] {
    const events: ResponseEvent[] = [];
    if (this.open?.kind !== 'message') {
      events.push(...this.close('completed'), ...this.openMessage());
    }
    return [...events, ...this.tell(said.substring(this.open!.told.length))];
  }

  /** As `say`, when the pieces may have been deleted: the reader knows how often the text had begun. */
  private sayStored(said: string): ResponseEvent[] {
    if (this.open?.kind !== 'message') this.text = ResponseSequence.textAt(this.slot(), this.of.after) ?? this.text;
    return this.say(said);
  }

  /** The first action after what the model said in a call, or the next one. */
  private act(step: number): ResponseEvent[] {
    const events = this.endCall();
    this.actions += 1;
    if (this.hasText) this.restartBefore = this.restart + 1;
    this.hasText = false;
    this.text = 0;
    return [...events, ...this.goOn(step)];
  }

  private goOn(step: number): ResponseEvent[] {
    this.step = step + 1;
    return [];
  }

  /** Ends what the model thought and said before it called functions. */
  private endCall(): ResponseEvent[] {
    const round = this.round;
    const events = this.recordedThoughts();
    const said = plainText(round?.text ?? '');
    if (said !== '' && (this.open?.kind !== 'message' || said.startsWith(this.open.told))) events.push(...this.sayStored(said));
    return [...events, ...this.close('completed', { phase: 'commentary' })];
  }

  /** The thoughts of the model's call whose pieces have been deleted. */
  private recordedThoughts(): ResponseEvent[] {
    const { reasoning = '' } = this.round ?? {};
    const told = this.open?.kind === 'reasoning' ? this.open.told : '';
    if (this.open?.kind === 'message' || !reasoning.startsWith(told)) return [];
    const rest = reasoning.substring(told.length);
    return rest === '' ? [] : this.think(rest);
  }

  private get round(): RecordedRound | undefined {
    return this.of.rounds?.find(({ step, attempt }) => step === this.step && attempt === this.attempt);
  }

  private slot(further = 0): Slot {
    return { attempt: this.attempt - (this.firstAttempt ?? this.attempt), actions: this.actions + further };
  }

  private openItem(kind: OpenItem['kind'], id: string, room: Room, item: OutputItem): ResponseEvent[] {
    const open: OpenItem = { kind, id, room, index: this.count++, told: '' };
    this.open = open;
    const part = kind === 'message' ? { content_index: 0, part: textPart('') } : { summary_index: 0, part: summaryPart('') };
    return [
      { type: 'response.output_item.added', sequence_number: room.opening(0), output_index: open.index, item },
      {
        type: kind === 'message' ? 'response.content_part.added' : 'response.reasoning_summary_part.added',
        sequence_number: room.opening(1),
        ...{ item_id: id, output_index: open.index, ...part },
      },
    ];
  }

  private tell(delta: string): ResponseEvent[] {
    const { open } = this;
    if (!open || delta === '') return [];
    open.told += delta;
    const isMessage = open.kind === 'message';
    return [
      {
        type: isMessage ? 'response.output_text.delta' : 'response.reasoning_summary_text.delta',
        sequence_number: open.room.behind(open.told.length),
        ...{ item_id: open.id, output_index: open.index, ...(isMessage ? { content_index: 0 } : { summary_index: 0 }), delta },
        ...(isMessage && { logprobs: [] }),
      },
    ];
  }

  private close(
    status: Exclude<OutputStatus, 'in_progress'>,
    { phase, annotations = [] }: { phase?: 'commentary' | 'final_answer'; annotations?: ReturnType<typeof annotationsOf> } = {},
  ): ResponseEvent[] {
    const { open } = this;
    this.open = undefined;
    if (!open) return [];
    const { id, room, told, index } = open;
    const at = { item_id: id, output_index: index };
    if (open.kind === 'reasoning') {
      return [
        { type: 'response.reasoning_summary_text.done', sequence_number: room.closing(0), ...at, summary_index: 0, text: told },
        {
          type: 'response.reasoning_summary_part.done',
          sequence_number: room.closing(1),
          ...at,
          summary_index: 0,
          part: summaryPart(told),
        },
        { type: 'response.output_item.done', sequence_number: room.closing(2), output_index: index, item: reasoningItem(id, told) },
      ];
    }
    const inPart = { ...at, content_index: 0 };
    const item = messageItem(id, told, status, { annotations, ...(phase && { phase }) });
    return [
      ...annotations.map((annotation, number) => ({
        type: 'response.output_text.annotation.added',
        sequence_number: room.closing(number),
        ...{ ...inPart, annotation_index: number, annotation },
      })),
      { type: 'response.output_text.done', sequence_number: room.closing(LAST), ...inPart, text: told, logprobs: [] },
      { type: 'response.content_part.done', sequence_number: room.closing(LAST + 1), ...inPart, part: textPart(told, annotations) },
      { type: 'response.output_item.done', sequence_number: room.closing(LAST + 2), output_index: index, item },
    ];
  }

  private call(call: FinalResponse['calls'][number], index: number): ResponseEvent[] {
    const item = functionCallItem(call);
    const at = { item_id: item.id, output_index: this.count++ };
    const number = (event: number): number => ResponseSequence.call(this.slot(1), index, event);
    const { arguments: input } = item;
    return [
      {
        type: 'response.output_item.added',
        sequence_number: number(0),
        output_index: at.output_index,
        item: { ...item, arguments: '', status: 'in_progress' },
      },
      { type: 'response.function_call_arguments.delta', sequence_number: number(1), ...at, delta: input },
      { type: 'response.function_call_arguments.done', sequence_number: number(2), ...at, name: item.name, arguments: input },
      { type: 'response.output_item.done', sequence_number: number(3), output_index: at.output_index, item },
    ];
  }
}

/** Of the closing events of a text; its annotations come before. */
const LAST = 1000;

function textPart(text: string, annotations: readonly unknown[] = []): object {
  return { type: 'output_text', text, annotations, logprobs: [] };
}

function summaryPart(text: string): object {
  return { type: 'summary_text', text };
}
