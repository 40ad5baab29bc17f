import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiResponses,
  disconnectSignal,
  EVENT_STREAM,
  HybridEnvelope,
  AllowScopedTokens,
  ApiErrors,
  UuidPipe,
  VouchedUsers,
  type HttpRequest,
  type HttpResponse,
  type Users,
} from '../../core/http/index.js';
import { CreatedId } from '../../core/idempotency/index.js';
import { AgentsService } from '../agents/index.js';
import {
  CancelledAnswersView,
  historyQuery,
  MessagePageView,
  MessagesQuery,
  MessagesService,
  presentHistory,
  presentOutcome,
  Replies,
  REPLY_ERRORS,
  ReplyStreams,
  transportOf,
} from '../messaging/index.js';
import { setExpiryHeader } from './session-header.js';
import { contentOf, presentPosted, presentStatus, SessionMessageBody, SessionPostedView, toMessage } from './session-messages.dto.js';
import { agentNotFound } from './sessions.errors.js';
import { SessionsService, type SessionFollower, type SessionPostResult } from './sessions.service.js';
import type { SessionView } from './sessions.types.js';

@Controller('api/messaging/sessions/:sessionId')
@HybridEnvelope()
@AllowScopedTokens()
export class SessionMessagesController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly messages: MessagesService,
    private readonly replies: Replies,
    private readonly streams: ReplyStreams,
    private readonly agents: AgentsService,
  ) {}

  /** Sends the user's message to the agent; `transport` selects how the reply is delivered. */
  @Post('messages')
  @ApiResponses(EVENT_STREAM)
  @ApiErrors(
    'SESSION_NOT_FOUND',
    'SESSION_EXPIRED',
    'SESSION_RENEWAL_FAILED',
    'CHANNEL_NOT_FOUND',
    'AGENT_NOT_FOUND',
    'CONFLICT',
    'MESSAGE_EXISTS',
    ...REPLY_ERRORS,
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
    const post = async (): Promise<SessionPostResult> => {
      const posted = await this.sessions.post(session, message);
      setExpiryHeader(response, posted.session);
      return posted;
    };
    if (transport === 'websocket') return presentPosted(await post());
    this.requireAgent(session);
    const follower = this.sessions.follow(session);
    try {
      if (transport === 'sse') {
        let posted: SessionPostResult | undefined;
        const status = async (): Promise<Record<string, unknown>> =>
          posted ? presentStatus(await this.withCurrentSession(posted, follower)) : {};
        await this.streams.post(request, response, session.channelId, async () => (posted = await post()), status);
        return undefined;
      }
      const { posted, outcome } = await this.replies.postAndWait(session.channelId, post, disconnectSignal(response));
      return presentPosted(await this.withCurrentSession(posted, follower), presentOutcome(posted.message, outcome));
    } finally {
      follower.stop();
    }
  }

  /** Messages of a session, newest first. */
  @Get('messages')
  @ApiErrors('SESSION_NOT_FOUND', 'SESSION_EXPIRED')
  async history(
    @Param('sessionId') id: string,
    @Query() query: MessagesQuery,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<MessagePageView> {
    const session = await this.sessions.require(id);
    const page = await this.messages.history(session.channelId, historyQuery(query));
    setExpiryHeader(response, session);
    return presentHistory(page.messages, page.hasMore);
  }

  /** Stops the answer to a message while it is still pending. The message stays; an answer that has ended is not changed. */
  @Post('messages/:messageId/cancel')
  @HttpCode(200)
  @ApiErrors('SESSION_NOT_FOUND', 'SESSION_EXPIRED', 'MESSAGE_NOT_FOUND')
  async cancel(@Param('sessionId') id: string, @Param('messageId', UuidPipe) messageId: string): Promise<CancelledAnswersView> {
    const { channelId } = await this.sessions.require(id);
    return { messageId, cancelled: await this.messages.cancelAnswers(channelId, messageId) };
  }

  /** With the session as it is after waiting for the reply. */
  private async withCurrentSession(before: SessionPostResult, follower: SessionFollower): Promise<SessionPostResult> {
    const { session, message } = before;
    const current = await (follower.changedAfter(message.offset) ? this.sessions.find(session.id) : this.sessions.later(session));
    return { ...before, session: current ?? session };
  }

  /** Refuses to wait for the reply of an agent that is not running. */
  private requireAgent({ agentId }: SessionView): void {
    if (this.agents.find(agentId)?.status !== 'active') throw agentNotFound(agentId);
  }
}
