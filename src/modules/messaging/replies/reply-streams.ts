import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import { AppError } from '../../../core/errors/index.js';
import { lastEventId, OPENED, sendEventStream, type HttpRequest, type HttpResponse, type StreamEvent } from '../../../core/http/index.js';
import type { Polled } from '../../../core/iteration/index.js';
import { cursorBehind } from '../../../core/journal/index.js';
import { presentNoReply, presentReplyEvent } from '../messages/messages.presenter.js';
import { MessagesService } from '../messages/messages.service.js';
import type { Message, PostResult } from '../messages/messages.types.js';
import { Replies } from './replies.js';
import type { ReplyEvent, ReplyGap } from './reply-progress.js';

/** Additional fields of the last event, for example a session's status. */
type Extras = () => Promise<Record<string, unknown>>;
const NOTHING: Extras = () => Promise.resolve({});

/** The `sse` transport: the events of a message's replies as server-sent events whose ids are cursors. */
@Injectable()
export class ReplyStreams {
  constructor(
    private readonly replies: Replies,
    private readonly messages: MessagesService,
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
    const { replies } = this;
    await sendEventStream({ request, response, clock: this.clock, channelId }, async function* (signal) {
      const { posted, events, end } = await replies.begin(channelId, post, { client: signal, isAwaited: false });
      try {
        // A client resumes the stream here, with Last-Event-ID.
        response.set('Content-Location', `${request.path.replace(/(\/stream)?\/?$/i, '')}/${posted.message.id}/events`);
        let last: ReplyEvent | ReplyGap | undefined;
        yield presentPolled(posted.message, events, (event) => (last = event));
        if (last) yield* presentLast(last, posted.message.id, extras);
      } finally {
        end();
      }
    });
  }

  /** Streams the replies to a stored message after the client's Last-Event-ID. @throws AppError MESSAGE_NOT_FOUND */
  async resume(request: HttpRequest, response: HttpResponse, channelId: string, messageId: string, extras = NOTHING): Promise<void> {
    const message = await this.messages.find(messageId);
    if (message?.channelId !== channelId) throw new AppError('MESSAGE_NOT_FOUND', `Message ${messageId} not found in channel ${channelId}`);
    const after = lastEventId(request) ?? cursorBehind(0);
    const stream = { request, response, clock: this.clock, channelId };
    await sendEventStream(stream, (signal) => present(message, this.replies.follow(message, after, signal), extras));
  }
}

async function* present(
  { id }: Message,
  events: AsyncIterable<ReplyEvent | ReplyGap>,
  extras: Extras,
): AsyncGenerator<StreamEvent | Polled<StreamEvent>> {
  yield OPENED;
  for await (const each of events) {
    const event = each.last ? undefined : presentReplyEvent(each, id);
    if (event) yield event;
    if (each.last) yield* presentLast(each, id, extras);
  }
}

async function* presentLast(last: ReplyEvent | ReplyGap, messageId: string, extras: Extras): AsyncGenerator<StreamEvent> {
  const event = presentReplyEvent(last, messageId, await extras());
  if (event) yield event;
  if (event?.event === 'user_message') yield presentNoReply(event, await extras());
}

/** The events before the last one. @param onLast receives that */
function presentPolled(
  { id }: Message,
  events: Polled<ReplyEvent | ReplyGap>,
  onLast: (last: ReplyEvent | ReplyGap) => void,
): Polled<StreamEvent> {
  let hasLast = false;
  return {
    poll() {
      while (!hasLast) {
        const each = events.poll();
        if (each === undefined) return undefined;
        hasLast = each.last;
        if (hasLast) onLast(each);
        const event = hasLast ? undefined : presentReplyEvent(each, id);
        if (event) return event;
      }
      return undefined;
    },
    wait: () => (hasLast ? Promise.resolve() : events.wait()),
    get hasEnded() {
      return hasLast || events.hasEnded;
    },
  };
}
