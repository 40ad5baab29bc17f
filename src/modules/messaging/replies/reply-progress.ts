import { AppError, type ErrorBody, type ErrorCode } from '../../../core/errors/index.js';
import { cursorBehind, type Cursor, type Gap, type JournalEntry } from '../../../core/journal/index.js';
import type { ReplyContent } from '../messages/messages.types.js';
import { concerns, failureIn, replyChange, type ReplyChange } from './reply-changes.js';
import type { ReplyDetails } from './reply-details.js';

/** What happens to the replies to a message. */
export interface ReplyEvent {
  /** To go on behind the event. */
  readonly cursor: Cursor;
  readonly change: ReplyChange;
  /** For callers who may read runs, of actions and of ends. */
  readonly details?: ReplyDetails;
  /** Whether it completes the last pending reply. */
  readonly last: boolean;
  /** The journal entry, for streams that show its fields. */
  readonly entry: JournalEntry;
}

/** Events that retention has deleted. */
export interface ReplyGap {
  readonly change?: undefined;
  readonly last: boolean;
  readonly entry: Gap;
}

/** What happens in a channel, also beside replies. */
export interface ChannelEvent {
  readonly entry: JournalEntry;
  /** To go on behind the event. */
  readonly cursor: Cursor;
  /** Undefined when it means nothing for replies, such as a renamed channel. */
  readonly change: ReplyChange | undefined;
  /** As `ReplyEvent.details`. */
  readonly details?: ReplyDetails;
}

/** Events of a channel that retention has deleted. */
export interface ChannelGap {
  readonly cursor?: undefined;
  readonly change?: undefined;
  readonly entry: Gap;
}

/** How the replies to a message ended. */
export interface ReplyOutcome {
  /** One per agent that replied, in the order of completion. */
  readonly replies: readonly { readonly agentId: string; readonly messageId: string; readonly content: ReplyContent }[];
}

/** Selects the entries of a message's replies, in order, from the message's own entry on. */
export class Progress {
  // The expected replies were decided when the message was stored; a replayed message may find other agents in the channel.
  private pending: Set<string> | undefined;

  constructor(private readonly messageId: string) {}

  /**
   * @param onProgress called when something happens to any reply of the channel: those before this message's come first
   * @param cursor     behind the entry, when it is not that of the entry alone
   * @returns undefined for an entry that does not belong to the replies
   */
  next(entry: JournalEntry | Gap, onProgress?: () => void, cursor?: Cursor): ReplyEvent | ReplyGap | undefined {
    if (entry.type === 'gap') return { entry, last: this.isComplete };
    const change = replyChange(entry);
    if (change && 'replyId' in change) onProgress?.();
    if (change?.kind === 'stored' && change.message.id === this.messageId) {
      this.pending = new Set(change.message.awaiting.map(({ agentId }) => agentId));
    }
    if (!change || !this.pending || !concerns(change, this.messageId)) return undefined;
    if (change.kind === 'completed' || change.kind === 'failed') this.pending.delete(change.agentId);
    return { cursor: cursor ?? cursorBehind(entry.offset), change, last: this.isComplete || change.kind === 'withdrawn', entry };
  }

  /** Whether the message's own entry has been seen. */
  get hasBegun(): boolean {
    return this.pending !== undefined;
  }

  private get isComplete(): boolean {
    return !this.pending || this.pending.size === 0;
  }
}

/** The outcome of a message's replies. Without iterators, because most requests that wait come through here. */
export class ReplyWait {
  readonly outcome: Promise<ReplyOutcome>;
  /** Of the newest entry of the replies. */
  offset = 0;
  private readonly progress: Progress;
  private readonly replies: { agentId: string; messageId: string; content: ReplyContent }[] = [];
  private failure: ErrorBody | undefined;
  private resolve!: (outcome: ReplyOutcome) => void;
  private reject!: (error: unknown) => void;

  /** @param onProgress as `Progress.next` */
  constructor(
    messageId: string,
    private readonly onProgress: () => void,
  ) {
    this.progress = new Progress(messageId);
    this.outcome = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));
  }

  /** Takes the next entry of the channel. */
  add(entry: JournalEntry | Gap): void {
    const step = this.progress.next(entry, this.onProgress);
    if (!step) return;
    const { change, last } = step;
    if (entry.type !== 'gap') this.offset = entry.offset;
    if (!change && last) this.reject(replyExpired());
    if (change?.kind === 'completed' && change.content) {
      this.replies.push({ agentId: change.agentId, messageId: change.replyId, content: change.content });
    }
    if (change) this.failure ??= failureIn(change);
    if (!last) return;
    const { replies, failure } = this;
    if (replies.length === 0 && failure) this.reject(new AppError(failure.code as ErrorCode, failure.message, failure.details));
    else this.resolve({ replies });
  }

  fail(error: unknown): void {
    this.reject(error);
  }
}

function replyExpired(): AppError {
  return new AppError(
    'TURN_TIMEOUT',
    'The outcome of the reply has been deleted by retention.',
    "The message is old; a reply to it is among the channel's messages.",
  );
}
