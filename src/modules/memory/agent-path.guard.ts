import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { UuidPipe } from '../../core/http/index.js';
import { AgentsService } from '../agents/index.js';

/**
 * Looks at the path before anything looks at the body (the order of contract 9A): first that its ids are UUIDs,
 * then that there is such an agent. A pipe could not: Nest runs those of path and body side by side.
 */
@Injectable()
export class AgentPathGuard implements CanActivate {
  private readonly uuid = new UuidPipe();

  constructor(private readonly agents: AgentsService) {}

  canActivate(context: ExecutionContext): boolean {
    const { params } = context.switchToHttp().getRequest<{ params: Record<string, string> }>();
    for (const [name, value] of Object.entries(params)) this.uuid.transform(value, { data: name });
    this.agents.require(params['agentId'] ?? '');
    return true;
  }
}
