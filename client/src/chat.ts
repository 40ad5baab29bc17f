import type { ApiClient, StreamOptions } from './api-client.js';
import { AnswerError } from './errors.js';
import { applyEvent, EMPTY_CONVERSATION } from './conversation-state.js';
import type { Attachment, ChannelEvent, ChannelMessage, Gap } from './events.js';
import { channelHistory, messageOf, type HistoryOptions, type HistoryPage } from './history.js';
import { randomId } from './ids.js';
import { textOption } from './options.js';
import type { MessageView } from './wire.js';

export interface SendOptions {
  /** Files to upload, or attachments that are already on a server. */
  readonly attachments?: readonly (Blob | Attachment)[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Your own id of the message; sending it again doesn't store it again. Default: a random one. */
  readonly clientMessageId?: string;
  readonly signal?: AbortSignal;
}

/** What happens between a message and its reply, under the names of the journal. The first event is the stored message itself. */
export type AnswerEvent = Exclude<ChannelEvent, { readonly type: 'message.deleted' | `channel.${string}` | `session.${string}` }>;

/** An agent's reply. */
export interface Answer {
  /** Empty when the agent chose to stay silent. */
  readonly text: string;
  /** The messages that it consists of, one for each agent that replied. */
  readonly messages: readonly ChannelMessage[];
}

/** The response of a server to a posted message. */
interface Posted {
  readonly userMessage: MessageView;
  readonly replies: readonly { readonly replyId: string }[];
}

export interface NewMessage {
  readonly content: string;
  readonly attachments?: readonly Attachment[];
  readonly metadata?: { [key: string]: unknown };
  readonly clientMessageId: string;
}

/** A user's conversation with an agent, in a channel. */
export abstract class Chat {
  constructor(
    protected readonly api: ApiClient,
    readonly channelId: string,
    readonly agentId: string,
    readonly userId: string,
  ) {}

  protected abstract post(message: NewMessage, signal: AbortSignal | undefined): Promise<Posted>;

  /** Sends a message. @returns the whole reply @throws AnswerError when the agent could not reply; ParleyError */
  async ask(text: string, options?: SendOptions): Promise<Answer> {
    let conversation = EMPTY_CONVERSATION;
    for await (const event of this.send(text, options)) conversation = applyEvent(conversation, event);
    // What an action says on the way is not the reply.
    const messages = conversation.messages.filter(({ replyId }) => replyId !== null);
    const failure = conversation.replies.find(({ error }) => error)?.error;
    if (failure && messages.length === 0) throw new AnswerError({ ...failure, status: 0 });
    return { text: messages.map((message) => message.text).join('\n\n'), messages };
  }

  /**
   * Sends a message and returns what happens until it is replied to: pieces of the text (`message.chunk`), actions, and the stored reply
   * (`message.created`). After a cut it goes on by itself, in order and without repeating anything.
   *
   * @throws ParleyError when the message is refused; the reason of the signal when it is aborted
   */
  async *send(text: string, options: SendOptions = {}): AsyncGenerator<AnswerEvent, void> {
    const { signal, metadata, clientMessageId = randomId() } = options;
    textOption('clientMessageId', clientMessageId, 'Give each message an id of its own, or leave it out for a random one.');
    const attachments: Attachment[] = [];
    for (const one of options.attachments ?? []) attachments.push(one instanceof Blob ? await this.upload(one, signal) : one);
    const { userMessage, replies } = await this.post(
      {
        content: text,
        clientMessageId,
        ...(attachments.length > 0 && { attachments }),
        ...(metadata && { metadata: { ...metadata } }),
      },
      signal,
    );
    const { offset, seq } = userMessage;
    yield { type: 'message.created', cursor: String(offset), offset, seq, message: messageOf(userMessage) };
    yield* this.replies(userMessage.id, new Set(replies.map(({ replyId }) => replyId)), { after: offset, signal });
  }

  /** Stops the replies to a message that are still being made. @param messageId of the user's message */
  async stop(messageId: string): Promise<void> {
    await this.api.call('POST /api/messaging/channels/{channelId}/messages/{messageId}/cancel', {
      path: { channelId: this.channelId, messageId },
    });
  }

  /** Messages of the conversation, by page. */
  history(options?: HistoryOptions): Promise<HistoryPage> {
    return channelHistory(this.api, this.channelId, options);
  }

  /** Everything that happens in the conversation, in order and once, from now on or behind the cursor `after`. */
  events(options?: StreamOptions): AsyncGenerator<ChannelEvent | Gap> {
    return this.api.events(this.channelId, options);
  }

  /** Uploads a file. @returns an attachment for messages */
  async upload(file: Blob, signal?: AbortSignal): Promise<Attachment> {
    const body = new FormData();
    body.append('file', file, 'name' in file ? String(file.name) : 'file');
    const { url, mimeType, originalName } = await this.api.call('POST /api/messaging/channels/{channelId}/upload-media', {
      path: { channelId: this.channelId },
      body,
      signal,
    });
    return { url, contentType: mimeType, title: originalName };
  }

  /** @param owed ids of the replies that are still to come */
  private async *replies(messageId: string, owed: Set<string>, options: StreamOptions): AsyncGenerator<AnswerEvent, void> {
    if (owed.size === 0) return;
    for await (const event of this.events(options)) {
      if (event.type === 'gap') {
        // The events are no longer kept; the reply is.
        for (const message of await this.storedReplies(owed, options.signal)) {
          owed.delete(message.id);
          yield { type: 'message.created', cursor: String(event.to), offset: event.to, seq: 0, message };
        }
      } else if ('message' in event) {
        if (event.message.inReplyTo === messageId) yield event;
      } else if ('replyId' in event && owed.has(event.replyId)) {
        // Those that end a reply say how.
        if ('status' in event) owed.delete(event.replyId);
        yield event;
      }
      if (owed.size === 0) return;
    }
  }

  private async storedReplies(owed: ReadonlySet<string>, signal: AbortSignal | undefined): Promise<readonly ChannelMessage[]> {
    const { messages } = await this.history({ limit: 100, ...(signal && { signal }) });
    return messages.filter(({ id }) => owed.has(id));
  }
}
