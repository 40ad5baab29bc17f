import { failureIn, type HandedCall, type ReplyChange, type ReplyDetails, type ReplyEvent, type ReplyGap } from '../messaging/index.js';
import type { GivenResult } from '../turns/index.js';
import type { ErrorBody } from '../../core/errors/index.js';
import { replyPositionOf, type Cursor } from '../../core/journal/index.js';
import type { Exchange } from './exchange.js';

/** What happens to a reply, as protocols tell it. `cursor`: to go on behind it. */
export type PartEvent =
  | { readonly kind: 'text'; readonly text: string; readonly cursor: Cursor | undefined }
  /** The model begins another text after actions of the agent: what was told stays. */
  | { readonly kind: 'round'; readonly cursor: Cursor | undefined }
  /** Another attempt says something else: what was told is void. */
  | { readonly kind: 'reset'; readonly cursor: Cursor | undefined }
  | { readonly kind: 'reasoning'; readonly text: string; readonly cursor: Cursor | undefined }
  /** A call of an action or tool that the agent runs. */
  | {
      readonly kind: 'action';
      readonly change: Extract<ReplyChange, { kind: 'action' }>;
      /** For callers who may read runs. */
      readonly details: ReplyDetails | undefined;
      readonly cursor: Cursor | undefined;
    }
  /** Calls of the caller, with the results that it gave; only where the whole reply is told again. */
  | { readonly kind: 'given'; readonly calls: readonly (GivenResult & { readonly id: string })[]; readonly cursor: Cursor | undefined };

/** How the part ended. */
export type PartEnd =
  | { readonly kind: 'completed'; readonly change: Extract<ReplyChange, { kind: 'completed' }>; readonly cursor: Cursor | undefined }
  | { readonly kind: 'suspended'; readonly calls: readonly HandedCall[]; readonly cursor: Cursor | undefined }
  | { readonly kind: 'failed'; readonly error: ErrorBody; readonly cursor: Cursor | undefined };

/** The part of a reply that answers one request: until the reply ends, or waits for results of the caller. */
export class ResponsePart {
  /** The end, once it has come. */
  end: PartEnd | undefined;
  /** All text that was told, a blank line between rounds. */
  told = '';
  private current = '';
  private round: { readonly attempt: number; readonly restart: number } | undefined;
  /** Whether the agent has acted since the last text: what follows is said in another call of the model, whichever attempt says it. */
  private hasActed = false;
  private hasBegun: boolean;

  constructor(private readonly from: Exchange['from']) {
    this.hasBegun = from.step === undefined;
  }

  take({ change, ...event }: ReplyEvent | ReplyGap): PartEvent[] {
    if (this.end) return [];
    const cursor = 'cursor' in event ? event.cursor : undefined;
    if (!change) {
      this.end = { kind: 'failed', error: EXPIRED, cursor };
      return [];
    }
    if (change.kind === 'resumed' && change.step === this.from.step) this.hasBegun = true;
    return this.hasBegun ? this.follow(change, cursor, 'details' in event ? event.details : undefined) : [];
  }

  /** Takes what happened before the first event, and leaves out what is void. */
  takePast(past: readonly (ReplyEvent | ReplyGap)[]): PartEvent[] {
    const events: PartEvent[] = [];
    const dropText = (): void => {
      while (events.at(-1)?.kind === 'text') events.pop();
    };
    for (const event of past.flatMap((each) => this.take(each))) {
      if (event.kind === 'reset') dropText();
      else events.push(event);
    }
    const newest = past.at(-1);
    // The text that is being written comes whole.
    if (!this.end && newest && 'cursor' in newest && replyPositionOf(newest.cursor) === undefined) {
      dropText();
      this.current = '';
    }
    this.told = events.map((event) => (event.kind === 'text' ? event.text : event.kind === 'round' ? '\n\n' : '')).join('');
    return events;
  }

  private follow(change: ReplyChange, cursor: Cursor | undefined, details: ReplyDetails | undefined): PartEvent[] {
    switch (change.kind) {
      case 'text':
        return this.text(change, cursor);
      case 'reasoning':
        return [{ kind: 'reasoning', text: change.text, cursor }];
      case 'action':
        if (change.byCaller) return [];
        this.hasActed = true;
        return [{ kind: 'action', change, details, cursor }];
      case 'suspended':
        return this.suspended(change.calls, cursor);
      case 'completed':
        this.end = { kind: 'completed', change, cursor };
        return this.rest(change.content?.text ?? '', cursor);
      case 'failed':
      case 'withdrawn':
        this.end = { kind: 'failed', error: failureIn(change) ?? EXPIRED, cursor };
        return [];
      default:
        return [];
    }
  }

  private suspended(calls: readonly HandedCall[], cursor: Cursor | undefined): PartEvent[] {
    const given = calls.flatMap(({ id }) => {
      const result = this.from.results?.get(id);
      return result ? [{ id, ...result }] : [];
    });
    if (given.length < calls.length) {
      this.end = { kind: 'suspended', calls, cursor };
      return [];
    }
    this.current = '';
    return [{ kind: 'given', calls: given, cursor }];
  }

  private text(change: Extract<ReplyChange, { kind: 'text' }>, cursor: Cursor | undefined): PartEvent[] {
    const { text, attempt, restart, reset } = change;
    const events: PartEvent[] = [];
    if (reset && (this.current !== '' || (this.hasActed && this.told !== ''))) {
      const isRound = this.hasActed || this.round?.attempt === attempt;
      events.push({ kind: isRound ? 'round' : 'reset', cursor });
      this.told = isRound ? `${this.told}\n\n` : '';
    }
    if (reset) this.current = '';
    this.hasActed = false;
    this.round = { attempt, restart };
    return [...events, ...this.say(text, cursor)];
  }

  /** What the stored reply has behind the text that was told: older text may have been deleted. */
  private rest(stored: string, cursor: Cursor | undefined): PartEvent[] {
    const current = this.current.trim();
    return stored.length > current.length && stored.startsWith(current) ? this.say(stored.substring(current.length), cursor) : [];
  }

  private say(text: string, cursor: Cursor | undefined): PartEvent[] {
    if (text === '') return [];
    this.current += text;
    this.told += text;
    return [{ kind: 'text', text, cursor }];
  }
}

const EXPIRED: ErrorBody = {
  code: 'TURN_TIMEOUT',
  message: 'The events of the reply have been deleted by retention.',
  details: 'The message is old; a reply to it is among the messages of its conversation.',
};
