import { Injectable } from '@nestjs/common';
import { type AgentLifecycleHook } from '../agents/index.js';
import { AppError } from '../../core/errors/index.js';
import { SessionsService } from './sessions.service.js';

const BATCH = 100;

/** Ends an agent's sessions when the agent is deleted. */
@Injectable()
export class SessionsAgentHook implements AgentLifecycleHook {
  constructor(private readonly sessions: SessionsService) {}

  async purgeAgent(agentId: string): Promise<void> {
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
      // A concurrent request ended it.
      if (!(error instanceof AppError && error.code === 'SESSION_NOT_FOUND')) throw error;
    }
  }
}
