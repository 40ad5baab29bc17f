import { Injectable, type ExecutionContext } from '@nestjs/common';
import { PathIdsGuard, Refuses, type HttpRequest } from '../../core/http/index.js';
import { AgentsService } from '../agents/index.js';

/** After the ids in the path, and before anything looks at the body: that there is such an agent (the order of contract 9A). */
@Injectable()
@Refuses('INVALID_ID', 'AGENT_NOT_FOUND')
export class AgentPathGuard extends PathIdsGuard {
  constructor(private readonly agents: AgentsService) {
    super();
  }

  override canActivate(context: ExecutionContext): boolean {
    super.canActivate(context);
    const { params } = context.switchToHttp().getRequest<HttpRequest>();
    this.agents.require(String(params['agentId']));
    return true;
  }
}
