import type { ErrorBody } from '../../core/errors/index.js';
import { RawData, type StreamEvent } from '../../core/http/index.js';
import type { ReplyChange } from '../../modules/messaging/index.js';
import type { Exchange, FinalResponse, ResponseWriter, StoredExchange } from '../../modules/protocols/index.js';
import type { OutputItem } from './output-items.js';
import { ResponseItems } from './response-items.js';
import { changesOf, finalOf } from './response-replay.js';
import { ResponseSequence, unseen, type ResponseEvent } from './response-sequence.js';
import type { ResponseSettings } from './response-settings.js';
import { stateOf, type ResponseState } from './response-state.js';
import { presentErrorEvent, presentResponse } from './response-view.js';
import type { ResponseView } from './responses.dto.js';

const DONE: StreamEvent = { data: new RawData('[DONE]') };
const BEGUN = { output: [], incompleteReason: null, error: null, completedAt: null, usage: null } as const;
const ENDS = {
  completed: 'response.completed',
  incomplete: 'response.incomplete',
  failed: 'response.failed',
  cancelled: 'response.incomplete',
};

/** What a stream of a response needs. */
export interface WrittenResponse {
  readonly exchange: Pick<Exchange, 'message' | 'from'>;
  readonly settings: ResponseSettings;
  /** Reads what is stored of the response now. */
  readonly read: () => Promise<StoredExchange | undefined>;
  /** The stored exchange when the stream begins, of a response that began before. */
  readonly stored?: StoredExchange;
  /** The number of the last event that the client has. */
  readonly after?: number | undefined;
}

/** A response as events. A text that another attempt replaces ends as incomplete, and another item begins. */
export class ResponsesWriter implements ResponseWriter {
  private readonly items: ResponseItems;
  private readonly done = new Map<number, OutputItem>();
  private last: number;
  private isQueued: boolean;

  constructor(private readonly of: WrittenResponse) {
    this.items = this.itemsOf(of.exchange.from.step);
    this.last = of.after ?? -1;
    this.isQueued = of.settings.background;
  }

  begin(): StreamEvent[] {
    const status = this.isQueued ? 'queued' : 'in_progress';
    const response = this.present({ status, ...BEGUN });
    return this.sent([
      { type: 'response.created', sequence_number: ResponseSequence.created, response },
      this.isQueued
        ? { type: 'response.queued', sequence_number: ResponseSequence.queued, response }
        : { type: 'response.in_progress', sequence_number: ResponseSequence.inProgress, response },
    ]);
  }

  change(change: ReplyChange): StreamEvent[] {
    const events = this.items.take(change);
    return this.sent([...this.running(), ...events]);
  }

  take(): StreamEvent[] {
    return [];
  }

  async end(final: FinalResponse): Promise<StreamEvent[]> {
    const events = this.sent(this.items.end(final));
    return [...events, ...this.ended((await this.state(final)) ?? this.told(final))];
  }

  async fail(error: ErrorBody): Promise<StreamEvent[]> {
    const stored = await this.of.read();
    const state = stored && stateOf(stored, this.of.exchange.from.step);
    if (stored && (state?.status === 'completed' || state?.status === 'incomplete')) return this.replayed(stored, state);
    if (state?.status === 'failed' || state?.status === 'cancelled') return [...this.sent(this.items.fail()), ...this.ended(state)];
    // The response may go on: the client has to be able to, too.
    return [this.event(presentErrorEvent(error, Math.max(this.last, 0))), DONE];
  }

  /** The end of a response, as GET has it. */
  async view(final: FinalResponse): Promise<ResponseView> {
    return this.present((await this.state(final)) ?? this.told(final));
  }

  /** The rest of a response whose journal entries have been deleted. */
  private replayed(stored: StoredExchange, state: ResponseState): StreamEvent[] {
    const items = this.itemsOf(this.of.exchange.from.step, stored);
    const events = [
      ...changesOf(stored, this.of.exchange.from.step, state.rounds).flatMap((change) => items.take(change)),
      ...items.end(finalOf(stored, state)),
    ];
    return [...this.sent(events), ...this.ended(state, items)];
  }

  private itemsOf(part: number | undefined, stored = this.of.stored): ResponseItems {
    const { exchange, after } = this.of;
    return new ResponseItems({ messageId: exchange.message.id, part, rounds: stored?.record.rounds, after });
  }

  private running(): ResponseEvent[] {
    if (!this.isQueued || !this.items.isRunning) return [];
    this.isQueued = false;
    const response = this.present({ status: 'in_progress', ...BEGUN });
    return [{ type: 'response.in_progress', sequence_number: ResponseSequence.inProgress, response }];
  }

  /** The stored end. */
  private async state({ usage }: FinalResponse): Promise<ResponseState | undefined> {
    const stored = await this.of.read();
    const state = stored && stateOf(stored, this.of.exchange.from.step);
    return state && { ...state, usage: state.usage ?? usage };
  }

  /** The end of a response that was deleted meanwhile. */
  private told({ reason, usage }: FinalResponse): ResponseState {
    const incompleteReason = reason === 'length' ? 'max_output_tokens' : reason === 'content-filter' ? 'content_filter' : null;
    const status = incompleteReason === null ? 'completed' : 'incomplete';
    return { ...BEGUN, status, incompleteReason, output: [...this.done.values()], usage, rounds: [] };
  }

  private ended(state: ResponseState, items = this.items): StreamEvent[] {
    const type = ENDS[state.status as keyof typeof ENDS];
    const response = this.present(state);
    return [...this.sent([{ type, sequence_number: items.endNumber, response }]), DONE];
  }

  private present(state: Omit<ResponseState, 'rounds'>): ResponseView {
    const { exchange, settings } = this.of;
    return presentResponse(exchange.message, exchange.from.step, settings, state);
  }

  /** What the client does not have. */
  private sent(events: readonly ResponseEvent[]): StreamEvent[] {
    return events.flatMap((event) => {
      const { type, item, output_index: index } = event;
      const isDone = type === 'response.output_item.done' && (item as { status?: string }).status !== 'incomplete';
      if (isDone) this.done.set(index as number, item as OutputItem);
      const rest = unseen(event, this.last);
      if (!rest) return [];
      this.last = rest.sequence_number;
      return [this.event(rest)];
    });
  }

  private event(data: ResponseEvent): StreamEvent {
    return { event: data.type, data };
  }
}
