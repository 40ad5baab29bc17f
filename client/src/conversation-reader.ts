import type { StreamState } from './api-client.js';
import type { Chat } from './chat.js';
import { applyEvent, EMPTY_CONVERSATION, withMessages, withNewestPage, type ConversationState } from './conversation-state.js';
import type { ChannelEvent, Gap } from './events.js';
import type { HistoryOptions, HistoryPage } from './history.js';

/** Hears a conversation from a cursor on. */
export interface ConversationListener {
  /** Offset behind which the events begin. */
  readonly after: number;
  readonly onEvent: (event: ChannelEvent) => void;
  readonly onGap: (gap: Gap) => void;
  readonly onError: (error: unknown) => void;
  readonly onState?: (connection: StreamState) => void;
}

/** Where a reader gets a conversation from: an event stream (`sourceOf`), or a socket. */
export interface ConversationSource {
  history(options: HistoryOptions): Promise<HistoryPage>;
  /** @returns stops it */
  follow(listener: ConversationListener): () => void;
}

export interface ReaderState {
  /** `loading` until the newest messages are there; `failed` with `error`. */
  readonly status: 'loading' | 'ready' | 'failed';
  readonly error: unknown;
  /** `reconnecting` while the server can't be reached; nothing is lost, and it goes on by itself. */
  readonly connection: StreamState;
  /** Whether there are older messages to load. */
  readonly hasOlder: boolean;
  readonly conversation: ConversationState;
}

export const EMPTY_READER: ReaderState = {
  status: 'loading',
  error: undefined,
  connection: 'connecting',
  hasOlder: false,
  conversation: EMPTY_CONVERSATION,
};

/**
 * Reads a conversation for a user interface: its newest messages, and everything that happens in it from then on, also over cuts and
 * restarts of the server, so that nothing is missing or shown twice.
 */
export class ConversationReader {
  private current = EMPTY_READER;
  private reading = new AbortController();
  private older: string | undefined;
  private loadingOlder: Promise<void> | undefined;

  /** @param onChange receives each new state, with the event that changed it */
  constructor(
    private readonly source: ConversationSource,
    private readonly onChange: (state: ReaderState, event?: ChannelEvent) => void,
  ) {}

  get state(): ReaderState {
    return this.current;
  }

  /** Reads the newest messages and follows the conversation; again after a failure. Failures are in the state. */
  async open(): Promise<void> {
    this.update({ status: 'loading', error: undefined });
    await this.read(0);
  }

  close(): void {
    this.reading.abort();
  }

  /** Loads the page of messages before the oldest one. @throws ParleyError */
  loadOlder(): Promise<void> {
    this.loadingOlder ??= this.readOlder().finally(() => (this.loadingOlder = undefined));
    return this.loadingOlder;
  }

  /** Changes what the conversation shows, for example by a message that is being sent. */
  change(change: (conversation: ConversationState) => ConversationState): void {
    this.update({ conversation: change(this.current.conversation) });
  }

  /** @param from offset from which events are kept */
  private async read(from: number): Promise<void> {
    this.reading.abort();
    this.reading = new AbortController();
    const { signal } = this.reading;
    const unlessOver =
      <T extends unknown[]>(handle: (...values: T) => void) =>
      (...values: T): void => {
        if (!signal.aborted) handle(...values);
      };
    const fail = unlessOver((error: unknown) => this.update({ status: 'failed', error }));
    try {
      const page = await this.source.history({ signal });
      if (signal.aborted) return;
      this.showNewest(page);
      const stop = this.source.follow({
        after: Math.max(page.cursor, from),
        onEvent: unlessOver((event: ChannelEvent) => this.update({ conversation: applyEvent(this.current.conversation, event) }, event)),
        onGap: unlessOver(({ to }: Gap) => void this.read(to)),
        onError: fail,
        onState: unlessOver((connection: StreamState) => this.update({ connection })),
      });
      signal.addEventListener('abort', stop, { once: true });
    } catch (error) {
      fail(error);
    }
  }

  private showNewest({ messages, older }: HistoryPage): void {
    const conversation = withNewestPage(this.current.conversation, messages, older === undefined);
    // The page may leave older messages in place, and then their cursor too.
    if (conversation.messages.length === messages.length) this.older = older;
    this.update({ status: 'ready', error: undefined, hasOlder: this.older !== undefined, conversation });
  }

  private async readOlder(): Promise<void> {
    const { older: before } = this;
    const { signal } = this.reading;
    if (before === undefined) return;
    const page = await this.source.history({ before, signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      return undefined;
    });
    // The newest messages may have been read again, without those behind this cursor.
    if (!page || this.older !== before) return;
    this.older = page.older;
    this.update({ hasOlder: page.older !== undefined, conversation: withMessages(this.current.conversation, page.messages) });
  }

  private update(change: Partial<ReaderState>, event?: ChannelEvent): void {
    this.current = { ...this.current, ...change };
    this.onChange(this.current, event);
  }
}

/** A conversation or session as a source, over the event stream of its channel. */
export function sourceOf(opened: Chat | Promise<Chat>): ConversationSource {
  return {
    history: async (options) => (await opened).history(options),
    follow: (listener) => {
      const closing = new AbortController();
      follow(opened, listener, closing.signal).catch((error: unknown) => {
        if (!closing.signal.aborted) listener.onError(error);
      });
      return () => closing.abort();
    },
  };
}

async function follow(opened: Chat | Promise<Chat>, listener: ConversationListener, signal: AbortSignal): Promise<void> {
  const { after, onState } = listener;
  for await (const event of (await opened).events({ after, signal, ...(onState && { onState }) })) {
    if (event.type === 'gap') listener.onGap(event);
    else listener.onEvent(event);
  }
}
