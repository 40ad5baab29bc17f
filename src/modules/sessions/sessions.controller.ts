import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import {
  ForLimited,
  FromCaller,
  Hybrid,
  InSession,
  Refuses,
  Scope,
  SessionStart,
  VouchedUsers,
  type Caller,
  type HttpResponse,
  type Users,
} from '../../core/http/index.js';
import { CreatedId } from '../../core/idempotency/index.js';
import { SessionTokens } from '../../core/vault/index.js';
import { iso } from '../messaging/index.js';
import { SessionAnnouncer } from './session-announcer.js';
import { showExpiry } from './session-header.js';
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
@Hybrid()
export class SessionsController {
  private readonly startedAt: number;

  constructor(
    private readonly sessions: SessionsService,
    private readonly announcer: SessionAnnouncer,
    private readonly tokens: SessionTokens,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.startedAt = clock.now();
  }

  /** Creates a session between a user and an agent. */
  @Post()
  @SessionStart()
  @Refuses('AGENT_NOT_FOUND', 'IDEMPOTENCY_KEY_NOT_RANDOM')
  async create(
    @Body() body: CreateSessionBody,
    @CreatedId() id: string | undefined,
    @VouchedUsers() users: Users,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<SessionResponse> {
    const session = answer(response, await this.sessions.create({ ...toCreate(body), users, id }));
    return this.config.apiKey === undefined ? session : { ...session, token: this.tokens.tokenOf(session.sessionId) };
  }

  /** Live sessions, newest first. */
  @Get()
  @Scope('admin')
  @ForLimited()
  async list(@Query() query: ListSessionsQuery, @FromCaller() caller: Caller): Promise<SessionListView> {
    return presentSessions(await this.sessions.list({ ...toFilter(query), agents: caller.agents }));
  }

  /** How the sessions of this server are. */
  @Get('health')
  async health(): Promise<SessionsHealthView> {
    const { active, expiring } = await this.sessions.counts();
    const now = this.clock.now();
    return {
      status: this.announcer.healthy ? 'healthy' : 'degraded',
      activeSessions: active,
      expiringSoon: expiring,
      timestamp: iso(now),
      uptime: Math.max(0, (now - this.startedAt) / 1000),
    };
  }

  /** A session; reading does not renew it. */
  @Get(':sessionId')
  @InSession()
  @Refuses('SESSION_NOT_FOUND', 'SESSION_EXPIRED')
  async read(@Param('sessionId') id: string, @Res({ passthrough: true }) response: HttpResponse): Promise<SessionResponse> {
    return answer(response, await this.sessions.require(id));
  }

  /** Ends a session; its channel and messages stay. */
  @Delete(':sessionId')
  @InSession()
  @Refuses('SESSION_NOT_FOUND', 'SESSION_EXPIRED', 'CONFLICT')
  async end(@Param('sessionId') id: string): Promise<EndedSessionView> {
    await this.sessions.end(id);
    return { success: true, message: `Session ${id} deleted successfully`, sessionId: id };
  }

  /** Renews a session, also one that does not renew itself. */
  @Post(':sessionId/renew')
  @InSession()
  @HttpCode(200)
  @Refuses('SESSION_NOT_FOUND', 'SESSION_EXPIRED', 'SESSION_RENEWAL_FAILED', 'CONFLICT')
  async renew(@Param('sessionId') id: string, @Res({ passthrough: true }) response: HttpResponse): Promise<SessionResponse> {
    return answer(response, await this.sessions.renew(id));
  }

  /** Changes some or all of the timeout configuration. */
  @Patch(':sessionId/timeout')
  @Refuses('SESSION_NOT_FOUND', 'SESSION_EXPIRED', 'CONFLICT')
  async configure(
    @Param('sessionId') id: string,
    @Body() body: TimeoutConfigBody,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<SessionResponse> {
    return answer(response, await this.sessions.configure(id, body));
  }

  /** A sign of life of a user who is not writing. */
  @Post(':sessionId/heartbeat')
  @InSession()
  @HttpCode(200)
  @Refuses('SESSION_NOT_FOUND', 'SESSION_EXPIRED', 'SESSION_RENEWAL_FAILED', 'CONFLICT')
  async heartbeat(@Param('sessionId') id: string, @Res({ passthrough: true }) response: HttpResponse): Promise<SessionResponse> {
    return answer(response, await this.sessions.heartbeat(id));
  }
}

function answer(response: HttpResponse, session: SessionView): SessionResponse {
  showExpiry(response, session);
  return presentSession(session);
}
