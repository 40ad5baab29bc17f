import { Injectable, type ExecutionContext } from '@nestjs/common';
import { PathIdsGuard, Refuses, type HttpRequest } from '../../core/http/index.js';
import { AgentsService } from '../agents/index.js';

/** After the ids in the path, and before a recording is read: that the agent runs. */
@Injectable()
@Refuses('INVALID_ID', 'AGENT_NOT_FOUND')
export class RunningAgentGuard extends PathIdsGuard {
  constructor(private readonly agents: AgentsService) {
    super();
  }

  override canActivate(context: ExecutionContext): boolean {
    super.canActivate(context);
    const { params } = context.switchToHttp().getRequest<HttpRequest>();
    this.agents.requireRunning(String(params['agentId']));
    return true;
  }
}
