import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AgentCompanions, type AgentCompanion } from '../agents/index.js';
import { AppError } from '../../core/errors/index.js';
import { SessionsService } from './sessions.service.js';

const BATCH = 100;

/** Sessions with an agent end when it is deleted. */
@Injectable()
export class AgentSessions implements AgentCompanion, OnModuleInit {
  constructor(
    private readonly companions: AgentCompanions,
    private readonly sessions: SessionsService,
  ) {}

  onModuleInit(): void {
    this.companions.register(this);
  }

  async purge(agentId: string): Promise<void> {
    for (;;) {
      const ids = await this.sessions.liveOf(agentId, BATCH);
      if (ids.length === 0) return;
      await Promise.all(ids.map((id) => this.end(id)));
    }
  }

  private async end(id: string): Promise<void> {
    try {
      await this.sessions.end(id);
    } catch (error) {
      // Somebody else was quicker.
      if (!(error instanceof AppError && error.code === 'SESSION_NOT_FOUND')) throw error;
    }
  }
}
