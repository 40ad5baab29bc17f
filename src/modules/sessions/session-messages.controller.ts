import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiResponses,
  hearingSignal,
  HybridEnvelope,
  AllowScopedTokens,
  OperationId,
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
  REPLY_STREAM,
  CancelledRepliesView,
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
import {
  contentOf,
  presentPosted,
  presentStatus,
  SessionMessageBody,
  SessionMessageFields,
  SessionPostedView,
  toMessage,
} from './session-messages.dto.js';
import { agentNotFound } from './sessions.errors.js';
import { SessionsService, type SessionFollower, type SessionPostResult } from './sessions.service.js';
import type { SessionMessage, SessionView } from './sessions.types.js';

const POST_ERRORS = [
  'SESSION_NOT_FOUND',
  'SESSION_EXPIRED',
  'SESSION_RENEWAL_FAILED',
  'CHANNEL_NOT_FOUND',
  'AGENT_NOT_FOUND',
  'CONFLICT',
  'MESSAGE_EXISTS',
  ...REPLY_ERRORS,
] as const;

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

  /** Sends the user's message to the agent; `transport` selects whether the response waits for the reply. */
  @Post('messages')
  @ApiErrors(...POST_ERRORS)
  async post(
    @Param('sessionId') id: string,
    @Body() body: SessionMessageBody,
    @CreatedId() createdId: string | undefined,
    @VouchedUsers() users: Users,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<SessionPostedView | undefined> {
    const transport = transportOf(body);
    const { session, post } = await this.prepare(id, body, { users, id: createdId }, response);
    if (transport === 'websocket') return presentPosted(await post());
    if (transport === 'sse') {
      await this.streamReply(session, post, request, response);
      return undefined;
    }
    return this.following(session, async (follower) => {
      const heard = hearingSignal(request, response, session.channelId);
      const { posted, outcome } = await this.replies.ask(session.channelId, post, heard);
      return presentPosted(await this.withCurrentSession(posted, follower), presentOutcome(posted.message, outcome));
    });
  }

  /** Sends the user's message to the agent, and streams the reply as server-sent events. */
  @Post('messages/stream')
  @OperationId('sessionMessagesStream')
  @ApiResponses(REPLY_STREAM)
  @ApiErrors(...POST_ERRORS)
  async stream(
    @Param('sessionId') id: string,
    @Body() body: SessionMessageFields,
    @CreatedId() createdId: string | undefined,
    @VouchedUsers() users: Users,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<void> {
    const { session, post } = await this.prepare(id, body, { users, id: createdId }, response);
    await this.streamReply(session, post, request, response);
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

  /** Stops the reply to a message while it is still pending. The message stays; a reply that has ended is not changed. */
  @Post('messages/:messageId/cancel')
  @HttpCode(200)
  @ApiErrors('SESSION_NOT_FOUND', 'SESSION_EXPIRED', 'MESSAGE_NOT_FOUND')
  async cancel(@Param('sessionId') id: string, @Param('messageId', UuidPipe) messageId: string): Promise<CancelledRepliesView> {
    const { channelId } = await this.sessions.require(id);
    return { messageId, cancelled: await this.replies.cancel(channelId, messageId) };
  }

  private async prepare(
    id: string,
    body: SessionMessageFields,
    author: Pick<SessionMessage, 'users' | 'id'>,
    response: HttpResponse,
  ): Promise<{ session: SessionView; post: () => Promise<SessionPostResult> }> {
    const content = contentOf(body);
    const session = await this.sessions.require(id);
    const message = { ...toMessage(content, body), ...author };
    const post = async (): Promise<SessionPostResult> => {
      const posted = await this.sessions.post(session, message);
      setExpiryHeader(response, posted.session);
      return posted;
    };
    return { session, post };
  }

  private streamReply(
    session: SessionView,
    post: () => Promise<SessionPostResult>,
    request: HttpRequest,
    response: HttpResponse,
  ): Promise<void> {
    return this.following(session, async (follower) => {
      let posted: SessionPostResult | undefined;
      const status = async (): Promise<Record<string, unknown>> =>
        posted ? presentStatus(await this.withCurrentSession(posted, follower)) : {};
      await this.streams.post(request, response, session.channelId, async () => (posted = await post()), status);
    });
  }

  /** Waits for a reply of the session's agent, which must be running. */
  private async following<T>(session: SessionView, wait: (follower: SessionFollower) => Promise<T>): Promise<T> {
    this.requireAgent(session);
    const follower = this.sessions.follow(session);
    try {
      return await wait(follower);
    } finally {
      follower.stop();
    }
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
