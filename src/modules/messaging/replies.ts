import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AppError, type ErrorBody, type ErrorCode } from '../../core/errors/index.js';
import { Journal, type Gap, type JournalEntry } from '../../core/journal/index.js';
import type { Message, PostResult, ReplyContent } from './messages.types.js';

/** Error codes of transports that wait for the replies. */
export const REPLY_ERRORS = [
  'TURN_IN_PROGRESS',
  'TURN_CANCELLED',
  'TURN_TIMEOUT',
  'TURN_FAILED',
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

// Added to the turn timeout, for turns queued ahead and for the delay of the journal.
const GRACE_MS = 30_000;

/** Follows the replies to a message. Reads only the journal, so that all transports report the same. */
@Injectable()
export class Replies {
  /** Stop functions of the active waits. */
  private readonly waits = new Set<() => void>();
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
    const { posted, entries, end } = await this.postAndStream(channelId, post, client);
    try {
      return { posted, outcome: await this.collect(entries) };
    } finally {
      end();
    }
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
      this.waits.delete(stop);
      client?.removeEventListener('abort', stop);
      stop();
    };
    this.waits.add(stop);
    try {
      const posted = await post();
      if (this.stopped) stop();
      cancelDeadline = this.clock.after(this.config.turnTimeoutMs + GRACE_MS, stop);
      const { message, replayed } = posted;
      const source = replayed ? this.journal.follow(channelId, message.offset - 1, waiting.signal) : live;
      return { posted, entries: this.untilComplete(message, this.entries(message, source), client), end };
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
    // The expected replies were decided when the message was stored; a replayed message may find other agents in the channel.
    let pending: Set<string> | undefined;
    for await (const entry of source) {
      if (entry.type === 'message.created' && entry.payload.id === message.id) {
        pending = new Set(entry.payload.awaiting.map(({ agentId }) => agentId));
      }
      if (entry.type !== 'gap' && (!pending || !belongsTo(entry, message))) continue;
      const ended = endedAgent(entry);
      if (ended !== undefined) pending?.delete(ended);
      const last = !pending || pending.size === 0 || endsAll(entry, message);
      if (entry.type === 'gap' || entry.offset > after) yield { entry, last };
      if (last) return;
    }
  }

  private async *untilComplete(
    message: Message,
    entries: AsyncIterable<ReplyEntry>,
    client: AbortSignal | undefined,
  ): AsyncGenerator<ReplyEntry, void> {
    for await (const each of entries) {
      yield each;
      if (each.last) return;
    }
    client?.throwIfAborted();
    const details = `Message ${message.id} is stored; its reply will appear among the channel's messages.`;
    if (this.stopped) throw new AppError('SERVER_STOPPING', 'The server stopped before the reply was ready; it is still pending.', details);
    throw new AppError('TURN_TIMEOUT', 'The reply was not ready in time; it is still pending.', details);
  }

  private async collect(entries: AsyncIterable<ReplyEntry>): Promise<ReplyOutcome> {
    const replies: { agentId: string; messageId: string; content: ReplyContent }[] = [];
    let failure: ErrorBody | undefined;
    for await (const { entry, last } of entries) {
      if (entry.type === 'gap' && last) throw replyExpired();
      if (entry.type === 'turn.finished' && entry.payload.reply) {
        replies.push({ agentId: entry.payload.agentId, messageId: entry.payload.replyId, content: entry.payload.reply });
      }
      failure ??= failureIn(entry);
    }
    if (replies.length === 0 && failure) throw new AppError(failure.code as ErrorCode, failure.message, failure.details);
    return { replies };
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
