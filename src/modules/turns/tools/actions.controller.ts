import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import { ApiErrors, PathIdsGuard, Scope, UuidPipe } from '../../../core/http/index.js';
import { newId } from '../../../core/ids/index.js';
import type { Memory } from '../../../plugin-sdk/index.js';
import { AgentExistsGuard, AgentsService } from '../../agents/index.js';
import { ActionsQuery, AgentActionsView, presentActions } from './actions.dto.js';
import { OfferStep } from './offer.step.js';
import { ProvidersStep } from '../prompt/providers.step.js';

@Controller('api/agents/:agentId/actions')
@UseGuards(PathIdsGuard, AgentExistsGuard)
export class ActionsController {
  constructor(
    private readonly offer: OfferStep,
    private readonly providers: ProvidersStep,
    private readonly agents: AgentsService,
    private readonly clock: Clock,
  ) {}

  /**
   * The actions and tools that the model of an agent could call for a message, and those that it could not, with the reason.
   *
   * @remarks Calls the context providers, conditions and tool sources of plugins as a turn does, with a message of an unknown user in a new
   * channel. Nothing is stored.
   */
  @Get()
  @Scope('read')
  @ApiErrors('INVALID_ID', 'AGENT_NOT_FOUND', 'VALIDATION_ERROR')
  async list(@Param('agentId', UuidPipe) agentId: string, @Query() { text = '' }: ActionsQuery): Promise<AgentActionsView> {
    const agent = this.agents.require(agentId);
    const message = this.message(agent.id, text);
    // Every call has a time limit of its own.
    const { signal } = new AbortController();
    const state = await this.providers.compose(agent, message, signal);
    const asked = await this.offer.ask(agent, message, state, signal);
    return presentActions([...asked, ...this.offer.others(agent, message, state)]);
  }

  private message(agentId: string, text: string): Memory {
    const [roomId, worldId, channelId] = [newId(), newId(), newId()];
    return {
      ...{ id: newId(), entityId: newId(), agentId, roomId, worldId, channelId, vouched: false },
      content: { text, source: 'preview', channelType: 'DM' },
      metadata: { type: 'message' },
      createdAt: this.clock.now(),
    };
  }
}
