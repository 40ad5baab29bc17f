import { Injectable, type ExecutionContext } from '@nestjs/common';
import { PathIdsGuard, type HttpRequest } from '../../core/http/index.js';
import { AgentsService } from '../agents/index.js';

/** After the ids in the path, and before anything looks at the body: that there is such an agent (the order of contract 9A). */
@Injectable()
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
