import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import {
  ApiResponses,
  EVENT_STREAM,
  AllowScopedTokens,
  OperationId,
  ApiErrors,
  UuidPipe,
  lastEventId,
  sendEventStream,
  type HttpRequest,
  type HttpResponse,
  type StreamEvent,
} from '../../core/http/index.js';
import { offsetOf } from '../../core/journal/index.js';
import { REPLY_STREAM, presentChannelEvent, Replies, ReplyStreams } from '../../modules/messaging/index.js';
import { presentStatus, SessionsService, setExpiryHeader } from '../../modules/sessions/index.js';

@Controller('api/messaging/sessions/:sessionId')
@AllowScopedTokens()
export class SessionStreamsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly streams: ReplyStreams,
    private readonly replies: Replies,
    private readonly clock: Clock,
  ) {}

  /** Streams all events of a session as server-sent events, from Last-Event-ID (or from now) on, until the session ends. */
  @Get('events')
  @OperationId('sessionEventsEvents')
  @ApiResponses(EVENT_STREAM)
  @ApiErrors('SESSION_NOT_FOUND', 'SESSION_EXPIRED', 'VALIDATION_ERROR')
  async events(
    @Param('sessionId') id: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<void> {
    const session = await this.sessions.require(id);
    const { channelId } = session;
    const { replies } = this;
    const after = lastEventId(request) ?? (await replies.present());
    setExpiryHeader(response, session);
    await sendEventStream({ request, response, clock: this.clock, channelId }, async function* (signal): AsyncGenerator<StreamEvent> {
      yield { id: after, event: 'ready', data: { sessionId: session.id, channelId, offset: offsetOf(after) } };
      for await (const event of replies.followChannel(channelId, after, signal)) {
        const presented = presentChannelEvent(event);
        if (presented) yield presented;
      }
    });
  }

  /** Streams the reply to a message as server-sent events; resumes after Last-Event-ID. */
  @Get('messages/:messageId/events')
  @OperationId('sessionMessagesReplyEvents')
  @ApiResponses(REPLY_STREAM)
  @ApiErrors('SESSION_NOT_FOUND', 'SESSION_EXPIRED', 'MESSAGE_NOT_FOUND', 'VALIDATION_ERROR')
  async replyEvents(
    @Param('sessionId') id: string,
    @Param('messageId', UuidPipe) messageId: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<void> {
    const session = await this.sessions.require(id);
    setExpiryHeader(response, session);
    // Read again, because the session may have changed by the closing event.
    const status = async (): Promise<Record<string, unknown>> =>
      presentStatus({ session: (await this.sessions.find(session.id)) ?? session, wasRenewed: false });
    await this.streams.resume(request, response, session.channelId, messageId, status);
  }
}
