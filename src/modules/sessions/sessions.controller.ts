import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { Hybrid, SessionStart, type HttpResponse } from '../../core/http/index.js';
import { iso } from '../messaging/index.js';
import { SessionAnnouncer } from './session-announcer.js';
import { showExpiry } from './session-header.js';
import {
  CreateSessionBody,
  ListSessionsQuery,
  presentSession,
  presentSessions,
  TimeoutConfigBody,
  toCreate,
  toFilter,
  type SessionResponse,
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
    private readonly clock: Clock,
  ) {
    this.startedAt = clock.now();
  }

  /** Creates a session between a user and an agent. */
  @Post()
  @SessionStart()
  async create(@Body() body: CreateSessionBody, @Res({ passthrough: true }) response: HttpResponse): Promise<SessionResponse> {
    return answer(response, await this.sessions.create(toCreate(body)));
  }

  /** Live sessions, newest first. */
  @Get()
  async list(@Query() query: ListSessionsQuery): Promise<Record<string, unknown>> {
    return presentSessions(await this.sessions.list(toFilter(query)));
  }

  /** How the sessions of this server are. */
  @Get('health')
  async health(): Promise<Record<string, unknown>> {
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

  @Get(':sessionId')
  async read(@Param('sessionId') id: string, @Res({ passthrough: true }) response: HttpResponse): Promise<SessionResponse> {
    return answer(response, await this.sessions.require(id));
  }

  /** Ends a session; its channel and messages stay. */
  @Delete(':sessionId')
  async end(@Param('sessionId') id: string): Promise<Record<string, unknown>> {
    await this.sessions.end(id);
    return { success: true, message: `Session ${id} deleted successfully`, sessionId: id };
  }

  /** Renews a session, also one that does not renew itself. */
  @Post(':sessionId/renew')
  @HttpCode(200)
  async renew(@Param('sessionId') id: string, @Res({ passthrough: true }) response: HttpResponse): Promise<SessionResponse> {
    return answer(response, await this.sessions.renew(id));
  }

  /** Changes some or all of the timeout configuration. */
  @Patch(':sessionId/timeout')
  async configure(
    @Param('sessionId') id: string,
    @Body() body: TimeoutConfigBody,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<SessionResponse> {
    return answer(response, await this.sessions.configure(id, body));
  }

  /** A sign of life of a user who is not writing. */
  @Post(':sessionId/heartbeat')
  @HttpCode(200)
  async heartbeat(@Param('sessionId') id: string, @Res({ passthrough: true }) response: HttpResponse): Promise<SessionResponse> {
    return answer(response, await this.sessions.heartbeat(id));
  }
}

function answer(response: HttpResponse, session: SessionView): SessionResponse {
  showExpiry(response, session);
  return presentSession(session);
}
