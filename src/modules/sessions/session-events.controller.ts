import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import {
  Answers,
  EVENT_STREAM,
  InSession,
  Refuses,
  lastEventId,
  sendEventStream,
  type HttpRequest,
  type HttpResponse,
  type StreamEvent,
} from '../../core/http/index.js';
import { Journal } from '../../core/journal/index.js';
import { presentChannelEntry } from '../messaging/index.js';
import { showExpiry } from './session-header.js';
import { SessionsService } from './sessions.service.js';

@Controller('api/messaging/sessions/:sessionId')
export class SessionEventsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly journal: Journal,
    private readonly clock: Clock,
  ) {}

  /** Everything that happens in a session as server-sent events, from Last-Event-ID (or from now) on, without end. */
  @Get('events')
  @InSession()
  @Answers(EVENT_STREAM)
  @Refuses('SESSION_NOT_FOUND', 'SESSION_EXPIRED', 'VALIDATION_ERROR')
  async events(
    @Param('sessionId') id: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<void> {
    const session = await this.sessions.require(id);
    const { channelId } = session;
    const { journal } = this;
    const after = lastEventId(request) ?? journal.tail;
    showExpiry(response, session);
    await sendEventStream({ request, response, clock: this.clock }, async function* (signal): AsyncGenerator<StreamEvent> {
      yield { id: after, event: 'ready', data: { sessionId: session.id, channelId, offset: after } };
      for await (const entry of journal.follow(channelId, after, signal)) yield presentChannelEntry(entry);
    });
  }
}
