import { Inject, Injectable } from '@nestjs/common';
import { Clock, SilenceLimit } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { reportCommit } from '../../core/context/request-context.js';
import { AppError, type ErrorBody, type ErrorCode } from '../../core/errors/index.js';
import { Journal, type Gap, type JournalEntry } from '../../core/journal/index.js';
import type { Message, PostResult, ReplyContent } from './messages.types.js';

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

/** A journal entry that belongs to a message's replies. `last` is true for the entry that completes the last pending reply. */
export interface ReplyEntry {
  readonly entry: JournalEntry | Gap;
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
  ): Promise<{ posted: T; entries: AsyncGenerator<ReplyEntry, void>; end: () => void }> {
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
  async *entries(message: Message, source: AsyncIterable<JournalEntry | Gap>, after = 0): AsyncGenerator<ReplyEntry, void> {
    const progress = new Progress(message);
    for await (const entry of source) {
      const step = progress.next(entry);
      if (!step) continue;
      if (entry.type === 'gap' || entry.offset > after) yield { entry, last: step.last };
      if (step.last) return;
    }
  }

  private endWait(stop: () => void): void {
    this.waits.delete(stop);
    if (this.waits.size === 0) this.onSettled?.();
  }

  private async *untilComplete(
    message: Message,
    entries: AsyncIterable<ReplyEntry>,
    silence: SilenceLimit,
    client: AbortSignal | undefined,
  ): AsyncGenerator<ReplyEntry, void> {
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

  constructor(private readonly message: Message) {}

  /** @returns undefined for an entry that does not belong to the replies; `last` for the entry that completes the last of them */
  next(entry: JournalEntry | Gap): { readonly last: boolean } | undefined {
    const { message } = this;
    if (entry.type === 'message.created' && entry.payload.id === message.id) {
      this.pending = new Set(entry.payload.awaiting.map(({ agentId }) => agentId));
    }
    if (entry.type !== 'gap' && (!this.pending || !belongsTo(entry, message))) return undefined;
    const ended = endedAgent(entry);
    if (ended !== undefined) this.pending?.delete(ended);
    return { last: !this.pending || this.pending.size === 0 || endsAll(entry, message) };
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
    this.progress = new Progress(message);
    this.outcome = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));
  }

  /** Takes the next entry of the channel. @returns whether it belongs to the replies */
  add(entry: JournalEntry | Gap): boolean {
    const step = this.progress.next(entry);
    if (!step) return false;
    if (entry.type !== 'gap') this.offset = entry.offset;
    if (entry.type === 'gap' && step.last) this.reject(replyExpired());
    if (entry.type === 'turn.finished' && entry.payload.reply) {
      this.replies.push({ agentId: entry.payload.agentId, messageId: entry.payload.replyId, content: entry.payload.reply });
    }
    this.failure ??= failureIn(entry);
    if (!step.last) return true;
    const { replies, failure } = this;
    if (replies.length === 0 && failure) this.reject(new AppError(failure.code as ErrorCode, failure.message, failure.details));
    else this.resolve({ replies });
    return true;
  }

  fail(error: unknown): void {
    this.reject(error);
  }
}

/** The error of an entry that ends a reply without success; undefined for other entries. */
export function failureIn(entry: ReplyEntry['entry']): ErrorBody | undefined {
  switch (entry.type) {
    case 'turn.failed':
    case 'turn.cancelled':
      return entry.payload.error;
    case 'message.deleted':
    case 'channel.cleared':
    case 'channel.deleted':
      return { code: 'TURN_CANCELLED', message: 'The message was deleted before it was answered.', details: 'No reply will follow.' };
    default:
      return undefined;
  }
}

function replyExpired(): AppError {
  return new AppError(
    'TURN_TIMEOUT',
    'The outcome of the reply has been deleted by retention.',
    "The message is old; a reply to it is among the channel's messages.",
  );
}

function belongsTo(entry: JournalEntry | Gap, message: Message): boolean {
  switch (entry.type) {
    case 'gap':
    case 'channel.cleared':
    case 'channel.deleted':
    case 'session.warning':
    case 'session.expired':
      return true;
    case 'message.created':
      return entry.payload.id === message.id || entry.payload.inReplyTo === message.id;
    case 'message.deleted':
    case 'message.chunk':
    case 'reasoning.chunk':
    case 'turn.progress':
    case 'action.started':
    case 'action.completed':
    case 'turn.started':
    case 'turn.finished':
    case 'turn.failed':
    case 'turn.cancelled':
      return entry.payload.messageId === message.id;
    default:
      return false;
  }
}

function endedAgent(entry: JournalEntry | Gap): string | undefined {
  return entry.type === 'turn.finished' || entry.type === 'turn.failed' || entry.type === 'turn.cancelled'
    ? entry.payload.agentId
    : undefined;
}

function endsAll(entry: JournalEntry | Gap, message: Message): boolean {
  if (entry.type === 'message.deleted') return entry.payload.messageId === message.id;
  return entry.type === 'channel.cleared' || entry.type === 'channel.deleted';
}
