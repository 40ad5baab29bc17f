import { Inject, Injectable } from '@nestjs/common';
import { Clock, SilenceLimit } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { reportCommit } from '../../core/context/request-context.js';
import { AppError, type ErrorBody, type ErrorCode } from '../../core/errors/index.js';
import { Journal, type Gap, type JournalEntry } from '../../core/journal/index.js';
import type { Message, PostResult, ReplyContent } from './messages.types.js';
import { concerns, failureIn, replyChange, type ReplyChange } from './reply-changes.js';

/** Error codes of transports that wait for the replies. */
export const REPLY_ERRORS = [
  'TURN_IN_PROGRESS',
  'TURN_CANCELLED',
  'TURN_TIMEOUT',
  'TURN_FAILED',
  'EMPTY_REPLY',
  'MODEL_UNAVAILABLE',
  'MODEL_REJECTED',
] as const satisfies ErrorCode[];

/** How the turns of one message ended. */
export interface ReplyOutcome {
  /** One per agent that answered, in the order of completion. */
  readonly replies: readonly { readonly agentId: string; readonly messageId: string; readonly content: ReplyContent }[];
}

/** A journal entry of a message's replies. `last` is true for the entry that completes the last pending reply. */
export interface ReplyEntry {
  readonly entry: JournalEntry;
  readonly change: ReplyChange;
  readonly last: boolean;
}

/** Entries that retention has deleted. */
export interface ReplyGap {
  readonly entry: Gap;
  readonly change?: undefined;
  readonly last: boolean;
}

// Added to the time that a turn may take without progress, for turns queued ahead and for the delay of the journal.
const GRACE_MS = 30_000;

/** Follows the replies to a message. Reads only the journal, so that all transports report the same. */
@Injectable()
export class Replies {
  /** Stop functions of the active waits. */
  private readonly waits = new Set<() => void>();
  private onSettled: (() => void) | undefined;
  private stopped = false;

  constructor(
    private readonly journal: Journal,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Posts a message and waits until each expected reply has been sent or has failed.
   *
   * @param post   stores the message
   * @param client aborts when the client disconnects; the turn continues
   * @throws AppError with the code of the failed turn when no agent replied, TURN_TIMEOUT
   */
  async postAndWait<T extends PostResult>(
    channelId: string,
    post: () => Promise<T>,
    client?: AbortSignal,
  ): Promise<{ posted: T; outcome: ReplyOutcome }> {
    const early: JournalEntry[] = [];
    let receive = (entry: JournalEntry): void => void early.push(entry);
    const unsubscribe = this.journal.subscribeToChannel(channelId, (entry) => receive(entry));
    let giveUp = (): void => undefined;
    const stop = (): void => giveUp();
    let cancelDeadline = (): void => undefined;
    this.waits.add(stop);
    client?.addEventListener('abort', stop, { once: true });
    try {
      const posted = await post();
      const wait = new ReplyWait(posted.message);
      giveUp = () => wait.fail(this.unfinished(posted.message, client));
      const silence = new SilenceLimit(this.clock, this.config.turnTimeoutMs + GRACE_MS, stop);
      cancelDeadline = () => silence.end();
      if (this.stopped || client?.aborted === true) stop();
      const add = (entry: JournalEntry | Gap): void => {
        if (wait.add(entry)) silence.renew();
      };
      if (!posted.replayed) {
        receive = add;
        early.forEach(receive);
      }
      const outcome = await (posted.replayed ? this.replay(posted.message, wait, add) : wait.outcome);
      // The answer tells of the replies too.
      reportCommit(wait.offset);
      return { posted, outcome };
    } finally {
      unsubscribe();
      cancelDeadline();
      this.endWait(stop);
      client?.removeEventListener('abort', stop);
    }
  }

  /** Resolves when no client waits for a reply. */
  settled(): Promise<void> {
    return this.waits.size === 0 ? Promise.resolve() : new Promise((resolve) => (this.onSettled = resolve));
  }

  /** Ends present and future waits with SERVER_STOPPING; the next process sends the replies. @returns whether any client was waiting */
  stop(): boolean {
    this.stopped = true;
    const waited = this.waits.size > 0;
    for (const stop of this.waits) stop();
    return waited;
  }

  /**
   * Posts a message and streams the journal entries of its replies until the last pending reply has completed.
   *
   * @param post   stores the message
   * @param client aborts when the client disconnects; the turn continues
   * @returns `entries`, which throws TURN_TIMEOUT, SERVER_STOPPING or, after a disconnect, the abort reason of `client`; call `end`
   *   when done
   */
  async postAndStream<T extends PostResult>(
    channelId: string,
    post: () => Promise<T>,
    client?: AbortSignal,
  ): Promise<{ posted: T; entries: AsyncGenerator<ReplyEntry | ReplyGap, void>; end: () => void }> {
    const waiting = new AbortController();
    const stop = (): void => waiting.abort();
    client?.addEventListener('abort', stop, { once: true });
    const live = this.journal.live(channelId, waiting.signal);
    let cancelDeadline = (): void => undefined;
    const end = (): void => {
      cancelDeadline();
      this.endWait(stop);
      client?.removeEventListener('abort', stop);
      stop();
    };
    this.waits.add(stop);
    try {
      const posted = await post();
      if (this.stopped) stop();
      const silence = new SilenceLimit(this.clock, this.config.turnTimeoutMs + GRACE_MS, stop);
      cancelDeadline = () => silence.end();
      const { message, replayed } = posted;
      const source = replayed ? this.journal.follow(channelId, message.offset - 1, waiting.signal) : live;
      return { posted, entries: this.untilComplete(message, this.entries(message, source), silence, client), end };
    } catch (error) {
      end();
      throw error;
    }
  }

  /**
   * The journal entries of a message's replies with an offset above `after`, until the last pending reply has completed.
   *
   * @param source the channel's entries, from the message's own entry or earlier; a gap in its place ends the stream
   */
  async *entries(message: Message, source: AsyncIterable<JournalEntry | Gap>, after = 0): AsyncGenerator<ReplyEntry | ReplyGap, void> {
    const progress = new Progress(message.id);
    for await (const entry of source) {
      const step = progress.next(entry);
      if (!step) continue;
      if (entry.type === 'gap' || entry.offset > after) yield step;
      if (step.last) return;
    }
  }

  private endWait(stop: () => void): void {
    this.waits.delete(stop);
    if (this.waits.size === 0) this.onSettled?.();
  }

  private async *untilComplete(
    message: Message,
    entries: AsyncIterable<ReplyEntry | ReplyGap>,
    silence: SilenceLimit,
    client: AbortSignal | undefined,
  ): AsyncGenerator<ReplyEntry | ReplyGap, void> {
    for await (const each of entries) {
      silence.renew();
      yield each;
      if (each.last) return;
    }
    throw this.unfinished(message, client);
  }

  /** Waits for replies that may have been sent already. */
  private async replay({ channelId, offset }: Message, wait: ReplyWait, add: (entry: JournalEntry | Gap) => void): Promise<ReplyOutcome> {
    const reading = new AbortController();
    const read = async (): Promise<void> => {
      for await (const entry of this.journal.follow(channelId, offset - 1, reading.signal)) add(entry);
    };
    void read().catch((error: unknown) => wait.fail(error));
    try {
      return await wait.outcome;
    } finally {
      reading.abort();
    }
  }

  /** Why a wait ends before the replies. */
  private unfinished(message: Message, client: AbortSignal | undefined): unknown {
    if (client?.aborted) return client.reason;
    const details = `Message ${message.id} is stored; its reply will appear among the channel's messages.`;
    return this.stopped
      ? new AppError('SERVER_STOPPING', 'The server stopped before the reply was ready; it is still pending.', details)
      : new AppError('TURN_TIMEOUT', 'The reply was not ready in time; it is still pending.', details);
  }
}

/** Selects the entries of a message's replies, in order, from the message's own entry on. */
class Progress {
  // The expected replies were decided when the message was stored; a replayed message may find other agents in the channel.
  private pending: Set<string> | undefined;

  constructor(private readonly messageId: string) {}

  /** @returns undefined for an entry that does not belong to the replies */
  next(entry: JournalEntry | Gap): ReplyEntry | ReplyGap | undefined {
    if (entry.type === 'gap') return { entry, last: this.isComplete };
    const change = replyChange(entry);
    if (change?.kind === 'stored' && change.message.id === this.messageId) {
      this.pending = new Set(change.message.awaiting.map(({ agentId }) => agentId));
    }
    if (!change || !this.pending || !concerns(change, this.messageId)) return undefined;
    if (change.kind === 'completed' || change.kind === 'failed') this.pending.delete(change.agentId);
    return { entry, change, last: this.isComplete || change.kind === 'withdrawn' };
  }

  private get isComplete(): boolean {
    return !this.pending || this.pending.size === 0;
  }
}

/** The outcome of a message's replies. Without iterators, because most requests that wait come through here. */
class ReplyWait {
  readonly outcome: Promise<ReplyOutcome>;
  /** Of the newest entry of the replies. */
  offset = 0;
  private readonly progress: Progress;
  private readonly replies: { agentId: string; messageId: string; content: ReplyContent }[] = [];
  private failure: ErrorBody | undefined;
  private resolve!: (outcome: ReplyOutcome) => void;
  private reject!: (error: unknown) => void;

  constructor(message: Message) {
    this.progress = new Progress(message.id);
    this.outcome = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));
  }

  /** Takes the next entry of the channel. @returns whether it belongs to the replies */
  add(entry: JournalEntry | Gap): boolean {
    const step = this.progress.next(entry);
    if (!step) return false;
    const { change, last } = step;
    if (entry.type !== 'gap') this.offset = entry.offset;
    if (!change && last) this.reject(replyExpired());
    if (change?.kind === 'completed' && change.content) {
      this.replies.push({ agentId: change.agentId, messageId: change.replyId, content: change.content });
    }
    if (change) this.failure ??= failureIn(change);
    if (!last) return true;
    const { replies, failure } = this;
    if (replies.length === 0 && failure) this.reject(new AppError(failure.code as ErrorCode, failure.message, failure.details));
    else this.resolve({ replies });
    return true;
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
