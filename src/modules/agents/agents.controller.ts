import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import {
  AllowRestricted,
  FromCaller,
  HybridEnvelope,
  canAccessAgent,
  PathIdsGuard,
  ApiErrors,
  ApiResponses,
  NOT_MODIFIED,
  UuidPipe,
  type Caller,
} from '../../core/http/index.js';
import { AgentLifecycle } from './agent-lifecycle.js';
import {
  AgentStatusView,
  AgentsView,
  AgentView,
  CreateAgentBody,
  CreatedAgentView,
  ListAgentsQuery,
  presentAgent,
  presentCreated,
  presentPage,
  presentStatus,
  characterSource,
  StoppedAgentView,
  UpdateAgentBody,
} from './agents.dto.js';
import { AgentsService, type Agent } from './agents.service.js';

@Controller('api/agents')
@UseGuards(PathIdsGuard)
export class AgentsController {
  constructor(
    private readonly agents: AgentsService,
    private readonly lifecycle: AgentLifecycle,
  ) {}

  /**
   * Details and status of every agent. The whole list has an `ETag`; a request with this tag in `If-None-Match` gets 304 while the list is
   * the same.
   */
  @Get()
  @AllowRestricted()
  @ApiErrors('VALIDATION_ERROR')
  @ApiResponses(NOT_MODIFIED)
  async list(@Query() query: ListAgentsQuery, @FromCaller() caller: Caller): Promise<AgentsView> {
    const agents = this.agents.list();
    return presentPage(caller.agents ? agents.filter(({ id }) => canAccessAgent(caller, id)) : agents, query);
  }

  /** Creates an inactive agent from a character. An existing agent with the same id and name is returned unchanged. */
  @Post()
  @ApiErrors('VALIDATION_ERROR', 'CHARACTER_INVALID', 'CONFLICT')
  async create(@Body() body: CreateAgentBody): Promise<CreatedAgentView> {
    const source = characterSource(body);
    const agent = await ('path' in source ? this.lifecycle.createFromFile(source.path) : this.lifecycle.create(source.character));
    return presentCreated(agent, this.agents.secretNames(agent.id));
  }

  /** An agent with its character; values of secrets are masked. */
  @Get(':agentId')
  @ApiErrors('INVALID_ID', 'AGENT_NOT_FOUND')
  async read(@Param('agentId', UuidPipe) agentId: string): Promise<AgentView> {
    return this.present(this.agents.require(agentId));
  }

  /** Changes an agent's character, even while the agent is running. */
  @Patch(':agentId')
  @ApiErrors('INVALID_ID', 'VALIDATION_ERROR', 'CHARACTER_INVALID', 'AGENT_NOT_FOUND', 'CONFLICT')
  async update(@Param('agentId', UuidPipe) agentId: string, @Body() body: UpdateAgentBody): Promise<AgentView> {
    return this.present(await this.lifecycle.update(agentId, { ...body }));
  }

  /** Deletes an agent with all its data. */
  @Delete(':agentId')
  @HttpCode(204)
  @ApiErrors('INVALID_ID', 'AGENT_NOT_FOUND')
  async delete(@Param('agentId', UuidPipe) agentId: string): Promise<void> {
    await this.lifecycle.delete(agentId);
  }

  /** Starts an agent. */
  @Post(':agentId/start')
  @HttpCode(200)
  @ApiErrors('INVALID_ID', 'AGENT_NOT_FOUND')
  async start(@Param('agentId', UuidPipe) agentId: string): Promise<AgentStatusView> {
    return presentStatus(await this.lifecycle.start(agentId));
  }

  /** Stops an agent and cancels its pending replies. */
  @Post(':agentId/stop')
  @HttpCode(200)
  @HybridEnvelope()
  @ApiErrors('INVALID_ID', 'AGENT_NOT_FOUND')
  async stop(@Param('agentId', UuidPipe) agentId: string): Promise<StoppedAgentView> {
    return { ...presentStatus(await this.lifecycle.stop(agentId)), message: 'Agent stopped' };
  }

  private present(agent: Agent): AgentView {
    return presentAgent(agent, this.agents.secretNames(agent.id));
  }
}
