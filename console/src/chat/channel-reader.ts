// Reads a channel: its messages over HTTP, then its journal by cursor, so that nothing is missed or shown twice.
import {
  NetworkError,
  randomId,
  toMessage,
  type ChannelEvent,
  type ChannelMessage,
  type Failure,
  type MessageView,
  type RunSummaryView,
} from 'parley-client';
import type { Following } from 'parley-client/socket';
import { signal } from '@preact/signals';
import { live, parley } from '../api.js';
import { myId, myName } from '../identity.js';
import { notifyFault } from '../ui/dialogs.js';
import {
  apply,
  EMPTY,
  withEndedReplies,
  withMessages,
  type ChannelState,
  type OutgoingMessage,
  type PendingReply,
} from './channel-state.js';
import { keepOpen } from './conversations.js';

const PAGE = 50;
/** Among the newest messages, how many may wait for an answer that is still being made. */
const UNANSWERED = 10;
/** Answers to the messages of a page that were not given; beyond, the page of runs has them. */
const ENDED = 100;

export interface Post {
  readonly text: string;
  readonly attachments?: ChannelMessage['attachments'];
}

export class ChannelReader {
  readonly state = signal<ChannelState>(EMPTY);
  readonly phase = signal<'loading' | 'ready' | 'failed'>('loading');
  readonly fault = signal<unknown>(undefined);
  /** Whether older messages can be loaded. */
  readonly hasMore = signal(false);
  /** The newest event, for those who show more than messages. */
  readonly lastEvent = signal<ChannelEvent | undefined>(undefined);
  private following: Following | undefined;
  private stopWatching: (() => void) | undefined;
  private older: string | undefined;
  private loading = false;
  private closed = false;

  constructor(readonly channelId: string) {}

  /** Loads the newest messages and follows the channel. */
  async open(): Promise<void> {
    this.phase.value = 'loading';
    try {
      const after = await this.loadNewest();
      this.phase.value = 'ready';
      if (this.closed) return;
      this.stopWatching ??= live().onState((state) => {
        if (state === 'open') this.sendUnsent();
      });
      this.following ??= live().follow(this.channelId, {
        after,
        onEvent: (event) => {
          this.state.value = apply(this.state.value, event);
          this.lastEvent.value = event;
        },
        onGap: () => void this.loadNewest().catch((error: unknown) => this.fail(error)),
        onError: (error) => this.fail(error),
      });
    } catch (error) {
      this.fail(error);
    }
  }

  close(): void {
    this.closed = true;
    this.following?.unfollow();
    this.stopWatching?.();
  }

  /** Loads the page of messages before the oldest that is shown. */
  async loadOlder(): Promise<void> {
    if (this.loading || !this.hasMore.value) return;
    this.loading = true;
    try {
      await this.load(this.older);
    } finally {
      this.loading = false;
    }
  }

  /** Loads older messages until one is there. @returns whether it was found */
  async loadUntil(messageId: string): Promise<boolean> {
    const found = (): boolean => this.state.value.messages.some(({ id }) => id === messageId);
    while (!found() && this.hasMore.value) await this.load(this.older);
    return found();
  }

  /** Posts a message; it is shown at once, and marked when it could not be sent. */
  async post({ text, attachments = [] }: Post): Promise<void> {
    await this.send({ clientMessageId: randomId(), text, attachments, createdAt: Date.now() });
  }

  /** Sends a message again that could not be sent; the server stores it once. */
  async retry(message: OutgoingMessage): Promise<void> {
    const { fault: _, ...again } = message;
    await this.send(again);
  }

  discard(message: OutgoingMessage): void {
    this.setOutgoing(message, undefined);
  }

  /** Stops the answers to a message. @throws ParleyError */
  async stop(messageId: string): Promise<void> {
    await parley.call('POST /api/messaging/channels/{channelId}/messages/{messageId}/cancel', {
      path: { channelId: this.channelId, messageId },
    });
  }

  private async send(message: OutgoingMessage): Promise<void> {
    const { clientMessageId, text, attachments } = message;
    this.setOutgoing(message, message);
    try {
      await keepOpen(this.channelId);
      const name = myName.peek();
      const answer = await parley.call('POST /api/messaging/channels/{channelId}/messages', {
        path: { channelId: this.channelId },
        body: {
          content: text,
          clientMessageId,
          author_id: myId,
          ...(name !== '' && { author_display_name: name }),
          ...(attachments.length > 0 && { attachments }),
        },
      });
      // The journal brings it as well; whichever comes first is shown.
      const stored = answer?.userMessage;
      if (stored) this.state.value = withMessages(this.state.value, [messageOf(stored)]);
      this.setOutgoing(message, undefined);
    } catch (error) {
      this.setOutgoing(message, { ...message, fault: error });
      throw error;
    }
  }

  /** Sends again what a lost connection kept from the server, which stores each message once. */
  private sendUnsent(): void {
    for (const message of this.state.value.outgoing) {
      // A failure is shown beside the message.
      if (message.fault instanceof NetworkError) this.retry(message).catch(() => undefined);
    }
  }

  private setOutgoing({ clientMessageId }: OutgoingMessage, changed: OutgoingMessage | undefined): void {
    const others = this.state.value.outgoing.filter((one) => one.clientMessageId !== clientMessageId);
    this.state.value = { ...this.state.value, outgoing: changed ? [...others, changed] : others };
  }

  /** @returns the cursor behind which events are missing */
  private async loadNewest(): Promise<number> {
    const page = await this.load(undefined);
    const [newest] = page;
    if (!newest) return 0;
    const answered = new Set(page.map(({ inReplyTo }) => inReplyTo));
    // The pieces of an answer that is being made come again from the message that it answers.
    const waiting = page.slice(0, UNANSWERED).filter(({ id, isAgent }) => !isAgent && !answered.has(id));
    return waiting.at(-1)?.offset ?? newest.offset;
  }

  private async load(before: string | undefined): Promise<readonly MessageView[]> {
    const { messages, hasMore, nextCursor } = await parley.call('GET /api/messaging/channels/{channelId}/messages', {
      path: { channelId: this.channelId },
      query: { limit: PAGE, before },
    });
    const isOlder = before !== undefined || this.older === undefined;
    if (isOlder) {
      this.hasMore.value = hasMore;
      this.older = nextCursor?.before ?? undefined;
    }
    this.state.value = withMessages(this.state.value, messages.map(messageOf).reverse());
    this.loadEnded(messages, before === undefined).catch(notifyFault);
    return messages;
  }

  /** Loads the answers to these messages that were not given: no message is stored in their place. */
  private async loadEnded(messages: readonly MessageView[], newest: boolean): Promise<void> {
    const times = messages.map(({ createdAt }) => new Date(createdAt).getTime());
    if (times.length === 0) return;
    const span = { from: String(Math.min(...times)), ...(!newest && { to: String(Math.max(...times)) }) };
    const pages = await Promise.all(
      (['error', 'timeout'] as const).map((status) =>
        parley.call('GET /api/runs', { query: { channelId: this.channelId, status, limit: ENDED, ...span } }),
      ),
    );
    this.state.value = withEndedReplies(
      this.state.value,
      pages.flatMap(({ runs }) => runs.map(endedReply)),
    );
  }

  private fail(error: unknown): void {
    this.fault.value = error;
    this.phase.value = 'failed';
  }
}

function endedReply({ runId, messageId, agentId, agentName, errorCode, metadata }: RunSummaryView): PendingReply {
  const { message, details } = (metadata['error'] ?? {}) as Partial<Failure>;
  return {
    replyId: runId,
    inReplyTo: messageId,
    agentId,
    agentName: agentName ?? '',
    text: '',
    actions: [],
    status: errorCode === 'TURN_CANCELLED' ? 'cancelled' : 'failed',
    error: { code: errorCode ?? '', message: message ?? '', details: details ?? '' },
  };
}

function messageOf(view: MessageView): ChannelMessage {
  return toMessage({ ...view });
}
