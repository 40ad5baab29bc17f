import { Body, Controller, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { AppError } from '../../../core/errors/index.js';
import { ApiErrors, PathIdsGuard, Scope, UuidPipe, VouchedUsers, vouchesFor, type Users } from '../../../core/http/index.js';
import { AgentExistsGuard, AgentsService } from '../../agents/index.js';
import { presentRecall, RecallBody, RecallView } from './recall.dto.js';
import { RecallScope } from '../prompt/recall-scope.js';
import { RecallStep } from '../prompt/recall.step.js';

@Controller('api/memory/:agentId/recall')
@UseGuards(PathIdsGuard, AgentExistsGuard)
export class RecallController {
  constructor(
    private readonly recall: RecallStep,
    private readonly scope: RecallScope,
    private readonly agents: AgentsService,
  ) {}

  /** What an agent would recall for a message: memories and pieces of documents, with scores, and what is left out and why. */
  @Post()
  @HttpCode(200)
  @Scope('read')
  @ApiErrors('INVALID_ID', 'AGENT_NOT_FOUND', 'VALIDATION_ERROR', 'FORBIDDEN')
  async preview(
    @Param('agentId', UuidPipe) agentId: string,
    @Body() { text, userId }: RecallBody,
    @VouchedUsers() users: Users,
  ): Promise<RecallView> {
    const user = userId?.toLowerCase();
    if (user !== undefined && !vouchesFor(users, user)) {
      throw new AppError(
        'FORBIDDEN',
        'The credential does not vouch for this user.',
        'Use the API key, or a key with the user in `users`.',
      );
    }
    const { id } = this.agents.require(agentId);
    const audience = user === undefined ? { rooms: new Set<string>() } : await this.scope.audienceOf(id, [user]);
    return presentRecall(await this.recall.run(id, text, { excludeAuthorId: id, audience: () => Promise.resolve(audience) }));
  }
}
