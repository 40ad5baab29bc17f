import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import {
  AllowRestricted,
  FromCaller,
  HybridEnvelope,
  AllowScopedTokens,
  ApiErrors,
  Scope,
  VouchedUsers,
  type Caller,
  type HttpResponse,
  type Users,
} from '../../core/http/index.js';
import { CreatedId } from '../../core/idempotency/index.js';
import { SessionStart, SessionTokens } from '../access/index.js';
import { iso } from '../messaging/index.js';
import { SessionExpiryMonitor } from './session-expiry-monitor.js';
import { setExpiryHeader } from './session-header.js';
import {
  CreateSessionBody,
  EndedSessionView,
  ListSessionsQuery,
  presentSession,
  presentSessions,
  SessionListView,
  SessionResponse,
  SessionsHealthView,
  TimeoutConfigBody,
  toCreate,
  toFilter,
} from './sessions.dto.js';
import { SessionsService } from './sessions.service.js';
import type { SessionView } from './sessions.types.js';

@Controller('api/messaging/sessions')
@HybridEnvelope()
export class SessionsController {
  private readonly startedAt: number;

  constructor(
    private readonly sessions: SessionsService,
    private readonly expiryMonitor: SessionExpiryMonitor,
    private readonly tokens: SessionTokens,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.startedAt = clock.now();
  }

  /** Creates a session between a user and an agent. */
  @Post()
  @SessionStart()
  @ApiErrors('AGENT_NOT_FOUND', 'IDEMPOTENCY_KEY_NOT_RANDOM')
  async create(
    @Body() body: CreateSessionBody,
    @CreatedId() id: string | undefined,
    @VouchedUsers() users: Users,
    @FromCaller() { user }: Caller,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<SessionResponse> {
    const session = withHeaders(response, await this.sessions.create({ ...toCreate(body, user?.id), users, id }));
    return this.config.apiKey === undefined ? session : { ...session, token: this.tokens.tokenOf(session.sessionId, user?.expiresAt) };
  }

  /** Live sessions, newest first. */
  @Get()
  @Scope('admin')
  @AllowRestricted()
  async list(@Query() query: ListSessionsQuery, @FromCaller() caller: Caller): Promise<SessionListView> {
    return presentSessions(await this.sessions.list({ ...toFilter(query), agents: caller.agents }));
  }

  /** Health of the server's sessions. */
  @Get('health')
  async health(): Promise<SessionsHealthView> {
    const { active, expiring } = await this.sessions.counts();
    const now = this.clock.now();
    return {
      status: this.expiryMonitor.healthy ? 'healthy' : 'degraded',
      activeSessions: active,
      expiringSoon: expiring,
      timestamp: iso(now),
      uptime: Math.max(0, (now - this.startedAt) / 1000),
    };
  }

  /** A session; reading does not renew it. */
  @Get(':sessionId')
  @AllowScopedTokens()
  @ApiErrors('SESSION_NOT_FOUND', 'SESSION_EXPIRED')
  async read(@Param('sessionId') id: string, @Res({ passthrough: true }) response: HttpResponse): Promise<SessionResponse> {
    return withHeaders(response, await this.sessions.require(id));
  }

  /** Ends a session; its channel and messages stay. */
  @Delete(':sessionId')
  @AllowScopedTokens()
  @ApiErrors('SESSION_NOT_FOUND', 'SESSION_EXPIRED', 'CONFLICT')
  async end(@Param('sessionId') id: string): Promise<EndedSessionView> {
    await this.sessions.end(id);
    return { success: true, message: `Session ${id} deleted successfully`, sessionId: id };
  }

  /** Renews a session, with or without auto-renewal. */
  @Post(':sessionId/renew')
  @AllowScopedTokens()
  @HttpCode(200)
  @ApiErrors('SESSION_NOT_FOUND', 'SESSION_EXPIRED', 'SESSION_RENEWAL_FAILED', 'CONFLICT')
  async renew(@Param('sessionId') id: string, @Res({ passthrough: true }) response: HttpResponse): Promise<SessionResponse> {
    return withHeaders(response, await this.sessions.renew(id));
  }

  /** Changes some or all of the timeout configuration. */
  @Patch(':sessionId/timeout')
  @ApiErrors('SESSION_NOT_FOUND', 'SESSION_EXPIRED', 'CONFLICT')
  async configure(
    @Param('sessionId') id: string,
    @Body() body: TimeoutConfigBody,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<SessionResponse> {
    return withHeaders(response, await this.sessions.configure(id, body));
  }

  /** Reports activity of a user without a message. */
  @Post(':sessionId/heartbeat')
  @AllowScopedTokens()
  @HttpCode(200)
  @ApiErrors('SESSION_NOT_FOUND', 'SESSION_EXPIRED', 'SESSION_RENEWAL_FAILED', 'CONFLICT')
  async heartbeat(@Param('sessionId') id: string, @Res({ passthrough: true }) response: HttpResponse): Promise<SessionResponse> {
    return withHeaders(response, await this.sessions.heartbeat(id));
  }
}

function withHeaders(response: HttpResponse, session: SessionView): SessionResponse {
  setExpiryHeader(response, session);
  return presentSession(session);
}
