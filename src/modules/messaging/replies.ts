import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AppError, type ErrorBody, type ErrorCode } from '../../core/errors/index.js';
import { Journal, type Gap, type JournalEntry, type ReplyContent } from '../../core/journal/index.js';
import type { Message, Posted } from './messages.types.js';

/** The codes of a transport that waits for an answer. */
export const REPLY_REFUSALS = [
  'TURN_IN_PROGRESS',
  'TURN_CANCELLED',
  'TURN_TIMEOUT',
  'TURN_FAILED',
  'MODEL_UNAVAILABLE',
  'MODEL_REJECTED',
] as const satisfies ErrorCode[];

/** How the turns of one message ended. */
export interface ReplyOutcome {
  /** One for each agent that answered, in the order in which they did. */
  readonly replies: readonly { readonly agentId: string; readonly messageId: string; readonly content: ReplyContent }[];
}

/** An entry that belongs to a message's answers. `last` is true for the one after which nothing more is owed. */
export interface ReplyEntry {
  readonly entry: JournalEntry | Gap;
  readonly last: boolean;
}

// On top of the time a turn may take: for turns queued ahead of it and for the way through the journal.
const PATIENCE_MS = 30_000;

/** Readers of a message's answers. They read the journal and nothing else, so that every transport tells the same story. */
@Injectable()
export class Replies {
  /** Ends each wait that is under way. */
  private readonly waits = new Set<() => void>();
  private stopped = false;

  constructor(
    private readonly journal: Journal,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Posts a message and waits until every agent that owes an answer to it has given it, or has failed to.
   *
   * @param post   stores the message
   * @param client aborts when the caller has gone; the turn goes on without it
   * @throws AppError with the code of the failed turn when there is no reply at all, TURN_TIMEOUT when the wait was too long
   */
  async waitFor<T extends Posted>(
    channelId: string,
    post: () => Promise<T>,
    client?: AbortSignal,
  ): Promise<{ posted: T; outcome: ReplyOutcome }> {
    const { posted, entries, end } = await this.ask(channelId, post, client);
    try {
      return { posted, outcome: await this.collect(entries) };
    } finally {
      end();
    }
  }

  /** Ends all waiting, now and from now on, with SERVER_STOPPING: the next process gives the answers. @returns whether anybody waited */
  stop(): boolean {
    this.stopped = true;
    const waited = this.waits.size > 0;
    for (const stop of this.waits) stop();
    return waited;
  }

  /**
   * Posts a message and gives the entries of its answers as they come, until the last owed answer has ended.
   *
   * @param post   stores the message
   * @param client aborts when the caller has gone; the turn goes on without it
   * @returns `entries`, which throws TURN_TIMEOUT when the wait was too long and the reason of `client` when the caller has gone,
   *   SERVER_STOPPING when the server stops meanwhile; `end` must be called
   */
  async ask<T extends Posted>(
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
      cancelDeadline = this.clock.after(this.config.turnTimeoutMs + PATIENCE_MS, stop);
      const { message, replayed } = posted;
      const source = replayed ? this.journal.follow(channelId, message.offset - 1, waiting.signal) : live;
      return { posted, entries: this.untilComplete(message, this.entries(message, source), client), end };
    } catch (error) {
      end();
      throw error;
    }
  }

  /**
   * The entries of a message's answers with an offset above `after`, until the last owed answer has ended.
   *
   * @param source the channel's entries from the message's own one on, or from before it; a gap in its place ends them
   */
  async *entries(message: Message, source: AsyncIterable<JournalEntry | Gap>, after = 0): AsyncGenerator<ReplyEntry, void> {
    // Who owes an answer was settled when the message was stored: a message that comes again finds other agents there.
    let owed: Set<string> | undefined;
    for await (const entry of source) {
      if (entry.type === 'message.created' && entry.payload.id === message.id) {
        owed = new Set(entry.payload.awaiting.map(({ agentId }) => agentId));
      }
      if (entry.type !== 'gap' && (!owed || !concerns(entry, message))) continue;
      const ended = endedAgent(entry);
      if (ended !== undefined) owed?.delete(ended);
      const last = !owed || owed.size === 0 || endsAll(entry, message);
      if (entry.type === 'gap' || entry.offset > after) yield { entry, last };
      if (last) return;
    }
  }

  /** As `entries`, from the database on: for a reader that comes back with the cursor `after`. */
  resume(message: Message, after: number, signal: AbortSignal): AsyncGenerator<ReplyEntry, void> {
    return this.entries(message, this.journal.follow(message.channelId, message.offset - 1, signal), after);
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
    const way = `Message ${message.id} is stored: its answer will appear among the channel's messages.`;
    if (this.stopped) throw new AppError('SERVER_STOPPING', 'The server stopped before the answer was ready; it is still owed.', way);
    throw new AppError('TURN_TIMEOUT', 'The answer was not ready in time; it is still owed.', way);
  }

  private async collect(entries: AsyncIterable<ReplyEntry>): Promise<ReplyOutcome> {
    const replies: { agentId: string; messageId: string; content: ReplyContent }[] = [];
    let failure: ErrorBody | undefined;
    for await (const { entry, last } of entries) {
      if (entry.type === 'gap' && last) throw noLongerKept();
      if (entry.type === 'turn.finished' && entry.payload.reply) {
        replies.push({ agentId: entry.payload.agentId, messageId: entry.payload.replyId, content: entry.payload.reply });
      }
      failure ??= failureIn(entry);
    }
    if (replies.length === 0 && failure) throw new AppError(failure.code as ErrorCode, failure.message, failure.details);
    return { replies };
  }
}

/** Why an entry means that an answer will not come; undefined for one that does not. */
export function failureIn(entry: ReplyEntry['entry']): ErrorBody | undefined {
  switch (entry.type) {
    case 'turn.failed':
    case 'turn.cancelled':
      return entry.payload.error;
    case 'message.deleted':
    case 'channel.cleared':
    case 'channel.deleted':
      return { code: 'TURN_CANCELLED', message: 'The message was deleted before it was answered.', details: 'Nothing more will come.' };
    default:
      return undefined;
  }
}

function noLongerKept(): AppError {
  return new AppError(
    'TURN_TIMEOUT',
    'What became of the answer is no longer kept.',
    'The message was stored long ago; an answer to it is among the messages of the channel.',
  );
}

function concerns(entry: JournalEntry | Gap, message: Message): boolean {
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
