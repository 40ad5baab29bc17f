import { Body, Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import {
  Answers,
  EVENT_STREAM,
  Hybrid,
  InSession,
  Refuses,
  UuidPipe,
  VouchedUsers,
  type HttpRequest,
  type HttpResponse,
  type Users,
} from '../../core/http/index.js';
import { CreatedId } from '../../core/idempotency/index.js';
import { AgentsService } from '../agents/index.js';
import {
  historyQuery,
  MessagePageView,
  MessagesQuery,
  MessagesService,
  presentHistory,
  presentOutcome,
  Replies,
  REPLY_REFUSALS,
  ReplyStreams,
  transportOf,
} from '../messaging/index.js';
import { showExpiry } from './session-header.js';
import { contentOf, presentPosted, presentStatus, SessionMessageBody, SessionPostedView, toMessage } from './session-messages.dto.js';
import { agentNotFound } from './sessions.errors.js';
import { SessionsService, type SessionPosted } from './sessions.service.js';
import type { SessionView } from './sessions.types.js';

@Controller('api/messaging/sessions/:sessionId')
@Hybrid()
@InSession()
export class SessionMessagesController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly messages: MessagesService,
    private readonly replies: Replies,
    private readonly streams: ReplyStreams,
    private readonly agents: AgentsService,
  ) {}

  /** Sends the user's message to the agent; `transport` chooses how the answer is heard. */
  @Post('messages')
  @Answers(EVENT_STREAM)
  @Refuses(
    'SESSION_NOT_FOUND',
    'SESSION_EXPIRED',
    'SESSION_RENEWAL_FAILED',
    'CHANNEL_NOT_FOUND',
    'AGENT_NOT_FOUND',
    'CONFLICT',
    'MESSAGE_EXISTS',
    ...REPLY_REFUSALS,
  )
  async post(
    @Param('sessionId') id: string,
    @Body() body: SessionMessageBody,
    @CreatedId() createdId: string | undefined,
    @VouchedUsers() users: Users,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<SessionPostedView | undefined> {
    const transport = transportOf(body);
    const content = contentOf(body);
    const session = await this.sessions.require(id);
    const message = { ...toMessage(content, body), users, id: createdId };
    const post = async (): Promise<SessionPosted> => {
      const posted = await this.sessions.post(session, message);
      showExpiry(response, posted.session);
      return posted;
    };
    if (transport === 'websocket') return presentPosted(await post());
    this.requireAgent(session);
    if (transport === 'sse') {
      let posted: SessionPosted | undefined;
      const status = async (): Promise<Record<string, unknown>> => (posted ? presentStatus(await this.afterwards(posted)) : {});
      await this.streams.post(request, response, session.channelId, async () => (posted = await post()), status);
      return undefined;
    }
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const { posted, outcome } = await this.replies.waitFor(session.channelId, post, gone.signal);
    return presentPosted(await this.afterwards(posted), presentOutcome(posted.message, outcome));
  }

  /** Messages of a session, newest first. */
  @Get('messages')
  @Refuses('SESSION_NOT_FOUND', 'SESSION_EXPIRED')
  async history(
    @Param('sessionId') id: string,
    @Query() query: MessagesQuery,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<MessagePageView> {
    const session = await this.sessions.require(id);
    const page = await this.messages.history(session.channelId, historyQuery(query));
    showExpiry(response, session);
    return presentHistory(page.messages, page.hasMore);
  }

  /** The answer to one message as server-sent events; resumes behind Last-Event-ID. */
  @Get('messages/:messageId/events')
  @Answers(EVENT_STREAM)
  @Refuses('SESSION_NOT_FOUND', 'SESSION_EXPIRED', 'MESSAGE_NOT_FOUND', 'VALIDATION_ERROR')
  async replyEvents(
    @Param('sessionId') id: string,
    @Param('messageId', UuidPipe) messageId: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<void> {
    const session = await this.sessions.require(id);
    showExpiry(response, session);
    const status = async (): Promise<Record<string, unknown>> => presentStatus(await this.afterwards({ session, wasRenewed: false }));
    await this.streams.resume(request, response, session.channelId, messageId, status);
  }

  /** An answer takes its time: the session as it is when that is over. */
  private async afterwards<T extends Pick<SessionPosted, 'session' | 'wasRenewed'>>(before: T): Promise<T> {
    return { ...before, session: (await this.sessions.find(before.session.id)) ?? before.session };
  }

  /** Refuses to wait for an answer that nobody can give. */
  private requireAgent({ agentId }: SessionView): void {
    if (this.agents.find(agentId)?.status !== 'active') throw agentNotFound(agentId);
  }
}
