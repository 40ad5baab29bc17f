import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import { CONFIG, type Config } from '../../../core/config/index.js';
import { reportCommit } from '../../../core/context/request-context.js';
import type { ErrorCode } from '../../../core/errors/index.js';
import { Hooks } from '../../../core/hooks/index.js';
import { cursorBehind, Journal, offsetOf, replyPositionOf, type Cursor, type JournalEntry } from '../../../core/journal/index.js';
import type { CancelledReplies } from '../messages/message-hooks.js';
import { MessagesService } from '../messages/messages.service.js';
import type { Message, PostResult } from '../messages/messages.types.js';
import { ClientWaits } from './client-waits.js';
import { replyBounds, replyChange, type ReplyChange } from './reply-changes.js';
import { ReplyEvents } from './reply-events.js';
import { RunningText, type TextEvent } from './running-text.js';
import type { ReplyDetails } from './reply-details.js';
import {
  Progress,
  ReplyWait,
  type ChannelEvent,
  type ChannelGap,
  type ReplyEvent,
  type ReplyGap,
  type ReplyOutcome,
} from './reply-progress.js';

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

type Events = AsyncGenerator<ReplyEvent | ReplyGap, void>;

/** A message that was posted, and what happens to its replies. */
export interface BegunReplies<T extends PostResult = PostResult> {
  readonly posted: T;
  /** The replies that are to come, with their ids. */
  readonly replies: Message['awaiting'];
  /** Before the message: what `follow` goes on from. */
  readonly cursor: Cursor;
  /** From the message's own event to that of the last reply. */
  readonly events: ReplyEvents;
  /** Must be called to release the subscription; the turns continue. */
  readonly end: () => void;
}

export interface BeginOptions {
  /** Aborts when the client disconnects; the turns continue. */
  readonly client?: AbortSignal | undefined;
  /**
   * Whether the client needs the end: `events` throws when nothing happens for as long as a turn may take, and when the server stops. True by
   * default; without it, they end when `client` aborts.
   */
  readonly isAwaited?: boolean;
}

export interface FollowOptions {
  /** Whether events have `details`. Only for callers who may read runs. */
  readonly withDetails?: boolean;
  /** Called when something happens to any reply of the channel. */
  readonly onProgress?: () => void;
}

export interface FollowChannelOptions extends FollowOptions {
  /**
   * Called whenever the reader has everything that happened so far. The next event has not been broadcast yet: a reader that ends here and
   * goes on in the group of the channel (`joinGroup`) gets every event, and each once.
   */
  readonly onCurrent?: (text: RunningText) => void;
}

// Added to the time that a turn may take without progress, for the delay of the journal.
const GRACE_MS = 30_000;

/**
 * The replies to messages, for every protocol: it begins a message, follows what happens to its replies from any cursor on, and cancels
 * them. Protocols translate the events and store nothing. Reads only the journal, so that all protocols tell the same.
 */
@Injectable()
export class Replies {
  private readonly waits: ClientWaits;
  private readonly groups = new Map<string, { readonly text: RunningText; readonly stop: () => void }>();
  private broadcastTo: ((channelId: string, event: TextEvent) => void) | undefined;

  constructor(
    private readonly journal: Journal,
    private readonly messages: MessagesService,
    private readonly hooks: Hooks,
    clock: Clock,
    @Inject(CONFIG) config: Config,
  ) {
    this.waits = new ClientWaits(clock, config.turnTimeoutMs + GRACE_MS);
  }

  /**
   * Posts a message and follows its replies.
   *
   * @param post stores the message
   * @returns `events` may throw TURN_TIMEOUT, SERVER_STOPPING or, after a disconnect, the abort reason of `client`
   * @throws the errors of `post`
   */
  async begin<T extends PostResult>(
    channelId: string,
    post: () => Promise<T>,
    { client, isAwaited = true }: BeginOptions = {},
  ): Promise<BegunReplies<T>> {
    const wait = this.waits.begin(client, isAwaited);
    const live = this.journal.live(channelId, wait.signal);
    try {
      const posted = await post();
      wait.limitSilence();
      const { message, replayed } = posted;
      const source = replayed ? this.journal.follow(channelId, message.offset - 1, wait.signal) : live;
      const events = new ReplyEvents(new Progress(message.id), new RunningText(message.offset - 1), source, {
        onProgress: wait.renew,
        ...(isAwaited && { unfinished: () => wait.unfinished(message) }),
      });
      return { posted, replies: message.awaiting, cursor: cursorBehind(message.offset - 1), events, end: wait.end };
    } catch (error) {
      wait.end();
      throw error;
    }
  }

  /**
   * Posts a message and waits until each expected reply has been sent or has failed.
   *
   * @param post   stores the message
   * @param client aborts when the client disconnects; the turns continue
   * @throws AppError with the code of the failed turn when no agent replied, TURN_TIMEOUT
   */
  async ask<T extends PostResult>(
    channelId: string,
    post: () => Promise<T>,
    client?: AbortSignal,
  ): Promise<{ posted: T; outcome: ReplyOutcome }> {
    const early: JournalEntry[] = [];
    let receive = (entry: JournalEntry): void => void early.push(entry);
    const unsubscribe = this.journal.subscribeToChannel(channelId, (entry) => receive(entry));
    let giveUp = (): void => undefined;
    const waiting = this.waits.begin(client);
    const stop = (): void => giveUp();
    waiting.signal.addEventListener('abort', stop);
    try {
      const posted = await post();
      const wait = new ReplyWait(posted.message.id, waiting.renew);
      giveUp = () => wait.fail(waiting.unfinished(posted.message));
      waiting.limitSilence();
      if (waiting.signal.aborted) giveUp();
      if (!posted.replayed) {
        receive = (entry) => wait.add(entry);
        early.forEach(receive);
      }
      const outcome = await (posted.replayed ? this.replay(posted.message, wait) : wait.outcome);
      // The response tells of the replies too.
      reportCommit(wait.offset);
      return { posted, outcome };
    } finally {
      unsubscribe();
      waiting.signal.removeEventListener('abort', stop);
      waiting.end();
    }
  }

  /**
   * What happens to the replies to a message behind a cursor, until the last pending reply has completed. Begins with a gap, and ends, when
   * retention has deleted the message's own event.
   *
   * @param signal ends it
   */
  async *follow(message: Message, after: Cursor, signal: AbortSignal, { withDetails = false, onProgress }: FollowOptions = {}): Events {
    const { id, channelId, offset } = message;
    const begin = Math.max(offsetOf(after), offset - 1);
    const source = this.journal.follow(channelId, begin, signal);
    const [progress, text] = [new Progress(id), new RunningText(begin)];
    if (begin >= offset) {
      for await (const entry of this.journal.missed(channelId, offset - 1, begin)) {
        const event = progress.next(entry);
        // The message's own entry, which comes first, lists the expected replies.
        if (entry.type === 'gap' || !progress.hasBegun) break;
        text.skip(entry);
        if (event?.last) return;
      }
      if (!progress.hasBegun) {
        yield await this.gapAfter(after);
        return;
      }
    }
    for (const { entry, cursor } of text.resume(replyPositionOf(after))) {
      const event = progress.next(entry, undefined, cursor);
      if (event) yield event;
    }
    const events = new ReplyEvents(progress, text, source, { beginsWithMessage: true, ...(onProgress && { onProgress }) });
    for await (const event of events) yield withDetails && event.change ? await this.withDetails(event) : event;
    if (events.isIncomplete) yield await this.gapAfter(after);
  }

  /**
   * Like `follow`, for a client that needs the end.
   *
   * @param client aborts when the client disconnects
   * @throws AppError TURN_TIMEOUT, SERVER_STOPPING; after a disconnect, the abort reason of `client`
   */
  async *followToEnd(message: Message, after: Cursor, client: AbortSignal, options: FollowOptions = {}): Events {
    const wait = this.waits.begin(client);
    wait.limitSilence();
    try {
      for await (const event of this.follow(message, after, wait.signal, { ...options, onProgress: wait.renew })) {
        yield event;
        if (event.last) return;
      }
      throw wait.unfinished(message);
    } finally {
      wait.end();
    }
  }

  /**
   * The events of the replies to a message so far, from its own one on; a gap alone when retention has deleted that. `follow` goes on
   * behind the cursor of the last event. If that cursor says nothing of the running reply (`replyPositionOf`), `follow` begins with its text.
   */
  async past(message: Message, { withDetails = false }: FollowOptions = {}): Promise<(ReplyEvent | ReplyGap)[]> {
    const { id, channelId, offset } = message;
    const [progress, text] = [new Progress(id), new RunningText(offset - 1)];
    const found: (ReplyEvent | ReplyGap)[] = [];
    for await (const entry of this.journal.missed(channelId, offset - 1)) {
      const told = entry.type === 'gap' ? [] : text.next(entry);
      const events = told.flatMap((each) => progress.next(each.entry, undefined, each.cursor) ?? []);
      if (!progress.hasBegun) return [await this.gapAfter(cursorBehind(offset - 1))];
      found.push(...events);
      if (events.some(({ last }) => last)) break;
    }
    return withDetails ? Promise.all(found.map(async (event) => (event.change ? this.withDetails(event) : event))) : found;
  }

  /** Adds `details` to events, for callers who may read runs. */
  async *detailed(events: AsyncIterable<ReplyEvent | ReplyGap>): Events {
    for await (const event of events) yield event.change ? await this.withDetails(event) : event;
  }

  private async gapAfter(after: Cursor): Promise<ReplyGap> {
    return { entry: { type: 'gap', from: offsetOf(after), to: await this.journal.floor() }, last: false };
  }

  /**
   * Everything that happens in a channel behind a cursor, in order and once, until `signal` aborts.
   *
   * @param after only what is to come when it is undefined, and the running reply
   */
  async *followChannel(
    channelId: string,
    after: Cursor | undefined,
    signal: AbortSignal,
    { withDetails = false, onCurrent }: FollowChannelOptions = {},
  ): AsyncGenerator<ChannelEvent | ChannelGap, void> {
    const source = this.journal.follow(channelId, after && offsetOf(after), signal, () => onCurrent?.(text));
    const text = await this.textAt(channelId, after === undefined ? source.from : offsetOf(after));
    for (const event of text.resume(after && replyPositionOf(after))) yield { ...event, change: replyChange(event.entry) };
    for await (const item of source) {
      if (item.type === 'gap') yield { entry: item };
      else {
        for (const told of text.next(item)) {
          const event = { ...told, change: replyChange(told.entry) };
          yield withDetails ? await this.withDetails(event) : event;
        }
      }
    }
  }

  /** The text of the reply that was running at an offset. */
  private async textAt(channelId: string, offset: number): Promise<RunningText> {
    const text = new RunningText(offset);
    const newest = await this.journal.newestOf(channelId, replyBounds(), offset);
    if (newest && replyChange(newest)?.kind === 'begun') {
      for await (const entry of this.journal.missed(channelId, newest.offset - 1, offset)) if (entry.type !== 'gap') text.skip(entry);
    }
    return text;
  }

  /**
   * Calls `listener` once with each event of the channels that have a group of readers, in order, so that one event is encoded for the whole
   * group. It must not block.
   */
  broadcast(listener: (channelId: string, event: TextEvent) => void): void {
    this.broadcastTo = listener;
  }

  /**
   * Opens the group of a channel for `broadcast`, or compares a reader with it.
   *
   * @param text of a reader that has everything so far, which the group goes on with
   * @returns whether the reader can go on in the group, because it has the same
   */
  joinGroup(channelId: string, text: RunningText): boolean {
    const group = this.groups.get(channelId);
    if (group) return group.text.equals(text);
    const { stop } = this.journal.subscribeToItems(channelId, (item) => {
      for (const event of text.next(item)) this.broadcastTo?.(channelId, event);
    });
    this.groups.set(channelId, { text, stop });
    return true;
  }

  closeGroup(channelId: string): void {
    this.groups.get(channelId)?.stop();
    this.groups.delete(channelId);
  }

  /** The cursor of a reader that has none: what happened before this call is not behind it. */
  async present(): Promise<Cursor> {
    return cursorBehind(await this.journal.present());
  }

  /**
   * Stops the replies to a message that are pending. The message stays, and so does a reply that has ended.
   *
   * @returns the cancelled replies
   * @throws AppError CHANNEL_NOT_FOUND, MESSAGE_NOT_FOUND
   */
  cancel(channelId: string, messageId: string): Promise<CancelledReplies['replies']> {
    return this.messages.cancelReplies(channelId, messageId);
  }

  /** Resolves when no client waits for a reply. */
  settled(): Promise<void> {
    return this.waits.settled();
  }

  /** Ends present and future waits with SERVER_STOPPING; the next process sends the replies. @returns whether any client was waiting */
  stop(): boolean {
    return this.waits.stop();
  }

  private async withDetails<T extends Pick<ChannelEvent, 'change' | 'details'>>(event: T): Promise<T> {
    const details = event.change && (await this.detailsOf(event.change));
    return details ? { ...event, details } : event;
  }

  private async detailsOf(change: ReplyChange): Promise<ReplyDetails | undefined> {
    const [source] = this.hooks.of('replyDetails');
    if (!source) return undefined;
    if (change.kind === 'action') {
      const { arguments: input, result } = await source.ofAction(change, change.step);
      return { arguments: input, ...(change.status === 'completed' && { result }) };
    }
    return change.kind === 'completed' || change.kind === 'failed' ? { usage: await source.usageOf(change) } : undefined;
  }

  /** Waits for replies that may have been sent already. */
  private async replay({ channelId, offset }: Message, wait: ReplyWait): Promise<ReplyOutcome> {
    const reading = new AbortController();
    const read = async (): Promise<void> => {
      for await (const item of this.journal.follow(channelId, offset - 1, reading.signal)) if (item.type !== 'piece') wait.add(item);
    };
    void read().catch((error: unknown) => wait.fail(error));
    try {
      return await wait.outcome;
    } finally {
      reading.abort();
    }
  }
}
