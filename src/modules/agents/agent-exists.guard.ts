import { Injectable, type ExecutionContext } from '@nestjs/common';
import { PathIdsGuard, ApiErrors, type HttpRequest } from '../../core/http/index.js';
import { AgentsService } from './agents.service.js';

/** Requires that the agent in the path exists; runs after the check of path ids and before body validation (contract 9A). */
@Injectable()
@ApiErrors('INVALID_ID', 'AGENT_NOT_FOUND')
export class AgentExistsGuard extends PathIdsGuard {
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
