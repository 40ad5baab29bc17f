import { Injectable, type ExecutionContext } from '@nestjs/common';
import { PathIdsGuard, ApiErrors, type HttpRequest } from '../../core/http/index.js';
import { AgentsService } from '../agents/index.js';

/** Checks that the agent runs, after the ids in the path and before a recording is read. */
@Injectable()
@ApiErrors('INVALID_ID', 'AGENT_NOT_FOUND')
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
