// The conversation of a channel as the console shows it: read over HTTP, followed over the socket, with failed replies from the runs.
import {
  channelHistory,
  ConversationReader,
  EMPTY_READER,
  messageOf,
  NetworkError,
  randomId,
  withEndedReplies,
  withMessages,
  withOutgoing,
  type ChannelEvent,
  type ChannelMessage,
  type ConversationSource,
  type ConversationState,
  type Failure,
  type HistoryOptions,
  type HistoryPage,
  type OutgoingMessage,
  type PendingReply,
  type ReaderState,
  type RunSummaryView,
} from 'parley-client';
import { batch, signal } from '@preact/signals';
import { live, parley } from '../api.js';
import { myId, myName } from '../identity.js';
import { notifyError } from '../ui/dialogs.js';
import { keepOpen } from './conversations.js';

/** Failed replies to the messages of a page; the page of runs has more. */
const MAX_ENDED = 100;

export interface Post {
  readonly text: string;
  readonly attachments?: ChannelMessage['attachments'];
}

export class ChannelReader {
  readonly state = signal<ConversationState>(EMPTY_READER.conversation);
  readonly phase = signal<ReaderState['status']>('loading');
  readonly fault = signal<unknown>(undefined);
  /** The newest event, for those who show more than messages. */
  readonly lastEvent = signal<ChannelEvent | undefined>(undefined);
  private readonly reader: ConversationReader;
  private stopWatching: (() => void) | undefined;

  constructor(readonly channelId: string) {
    const source = {
      history: (options: HistoryOptions) => this.history(options),
      follow: (listener: Parameters<ConversationSource['follow']>[0]) => live().follow(channelId, listener).unfollow,
    };
    this.reader = new ConversationReader(source, (state, event) => this.show(state, event));
  }

  /** Loads the newest messages and follows the channel. */
  async open(): Promise<void> {
    this.stopWatching ??= live().onState((state) => {
      if (state === 'open') this.sendUnsent();
    });
    await this.reader.open();
  }

  close(): void {
    this.reader.close();
    this.stopWatching?.();
  }

  /** Loads the page of messages before the oldest that is shown. @throws ParleyError */
  loadOlder(): Promise<void> {
    return this.reader.loadOlder();
  }

  /** Loads older messages until one is there. @returns whether it was found */
  async loadUntil(messageId: string): Promise<boolean> {
    const found = (): boolean => this.state.value.messages.some(({ id }) => id === messageId);
    while (!found() && this.reader.state.hasOlder) await this.loadOlder();
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

  discard({ clientMessageId }: OutgoingMessage): void {
    this.reader.change((state) => withOutgoing(state, clientMessageId, undefined));
  }

  /** Stops the replies to a message. @throws ParleyError */
  async stop(messageId: string): Promise<void> {
    await parley.call('POST /api/messaging/channels/{channelId}/messages/{messageId}/cancel', {
      path: { channelId: this.channelId, messageId },
    });
  }

  private async send(message: OutgoingMessage): Promise<void> {
    const { clientMessageId, text, attachments } = message;
    this.reader.change((state) => withOutgoing(state, clientMessageId, message));
    try {
      await keepOpen(this.channelId);
      const name = myName.peek();
      const response = await parley.call('POST /api/messaging/channels/{channelId}/messages', {
        path: { channelId: this.channelId },
        body: {
          content: text,
          clientMessageId,
          author_id: myId,
          ...(name !== '' && { author_display_name: name }),
          ...(attachments.length > 0 && { attachments }),
        },
      });
      // The event of the message brings it as well; whichever comes first is shown.
      const stored = response?.userMessage;
      this.reader.change((state) => withOutgoing(stored ? withMessages(state, [messageOf(stored)]) : state, clientMessageId, undefined));
    } catch (error) {
      this.reader.change((state) => withOutgoing(state, clientMessageId, { ...message, fault: error }));
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

  private show({ conversation, status, error }: ReaderState, event: ChannelEvent | undefined): void {
    batch(() => {
      this.state.value = conversation;
      this.phase.value = status;
      this.fault.value = error;
      if (event) this.lastEvent.value = event;
    });
  }

  private async history(options: HistoryOptions): Promise<HistoryPage> {
    const page = await channelHistory(parley, this.channelId, options);
    this.loadEnded(page.messages, options.before === undefined).catch(notifyError);
    return page;
  }

  /** Loads the failed replies to these messages: no message is stored in their place. */
  private async loadEnded(messages: readonly ChannelMessage[], newest: boolean): Promise<void> {
    const times = messages.map(({ createdAt }) => createdAt);
    if (times.length === 0) return;
    const span = { from: String(Math.min(...times)), ...(!newest && { to: String(Math.max(...times)) }) };
    const pages = await Promise.all(
      (['error', 'timeout'] as const).map((status) =>
        parley.call('GET /api/runs', { query: { channelId: this.channelId, status, limit: MAX_ENDED, ...span } }),
      ),
    );
    const ended = pages.flatMap(({ runs }) => runs.map(endedReply));
    this.reader.change((state) => withEndedReplies(state, ended));
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
