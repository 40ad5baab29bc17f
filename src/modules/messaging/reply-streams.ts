import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { AppError } from '../../core/errors/index.js';
import { lastEventId, sendEventStream, type HttpRequest, type HttpResponse, type StreamEvent } from '../../core/http/index.js';
import { Journal } from '../../core/journal/index.js';
import { presentNoReply, presentReplyEntry } from './messages.presenter.js';
import { MessagesService } from './messages.service.js';
import type { Message, PostResult } from './messages.types.js';
import { Replies, type ReplyEntry, type ReplyGap } from './replies.js';
import { replyChange } from './reply-changes.js';

/** Additional fields of the last event, for example a session's status. */
type Extras = () => Promise<Record<string, unknown>>;
const NOTHING: Extras = () => Promise.resolve({});

/** The `sse` transport: the entries of a message's replies as server-sent events whose ids are journal offsets. */
@Injectable()
export class ReplyStreams {
  constructor(
    private readonly replies: Replies,
    private readonly messages: MessagesService,
    private readonly journal: Journal,
    private readonly clock: Clock,
  ) {}

  /** Stores a message and streams its replies. A failure to store it is an ordinary error response. */
  async post(
    request: HttpRequest,
    response: HttpResponse,
    channelId: string,
    post: () => Promise<PostResult>,
    extras = NOTHING,
  ): Promise<void> {
    const { replies, journal } = this;
    await sendEventStream({ request, response, clock: this.clock, channelId }, async function* (signal) {
      const live = journal.live(channelId, signal);
      const { message, replayed } = await post();
      // A client resumes the stream here, with Last-Event-ID.
      response.set('Content-Location', `${request.path.replace(/(\/stream)?\/?$/i, '')}/${message.id}/events`);
      yield* present(message, replies.entries(message, replayed ? journal.follow(channelId, message.offset - 1, signal) : live), extras);
    });
  }

  /** Streams the replies to a stored message after the client's Last-Event-ID. @throws AppError MESSAGE_NOT_FOUND */
  async resume(request: HttpRequest, response: HttpResponse, channelId: string, messageId: string, extras = NOTHING): Promise<void> {
    const message = await this.messages.find(messageId);
    if (message?.channelId !== channelId) throw new AppError('MESSAGE_NOT_FOUND', `Message ${messageId} not found in channel ${channelId}`);
    const after = lastEventId(request) ?? 0;
    await sendEventStream({ request, response, clock: this.clock, channelId }, (signal) => this.resumed(message, after, signal, extras));
  }

  private async *resumed(message: Message, after: number, signal: AbortSignal, extras: Extras): AsyncGenerator<StreamEvent> {
    const source = this.journal.follow(message.channelId, message.offset - 1, signal);
    const first = await source.next();
    if (first.done) return;
    // Retention may have removed the message's own entry, which lists the expected replies.
    const change = first.value.type === 'gap' ? undefined : replyChange(first.value);
    if (change?.kind === 'stored' && change.message.id === message.id) {
      yield* present(message, this.replies.entries(message, chain(first.value, source), after), extras);
      return;
    }
    yield { event: 'gap', data: { from: after, to: await this.journal.floor() } };
  }
}

async function* present({ id }: Message, entries: AsyncIterable<ReplyEntry | ReplyGap>, extras: Extras): AsyncGenerator<StreamEvent> {
  for await (const entry of entries) {
    const event = presentReplyEntry(entry, id, entry.last ? await extras() : {});
    if (event) yield event;
    if (event?.event === 'user_message' && entry.last) yield presentNoReply(event, await extras());
  }
}

async function* chain<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first;
  yield* rest;
}
