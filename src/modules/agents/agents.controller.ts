import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { ForLimited, FromCaller, Hybrid, mayReach, PathIdsGuard, Refuses, UuidPipe, type Caller } from '../../core/http/index.js';
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
  sourceOf,
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

  /** Details and status of every agent. */
  @Get()
  @ForLimited()
  @Refuses('VALIDATION_ERROR')
  async list(@Query() query: ListAgentsQuery, @FromCaller() caller: Caller): Promise<AgentsView> {
    const agents = this.agents.list();
    return presentPage(caller.agents ? agents.filter(({ id }) => mayReach(caller, id)) : agents, query);
  }

  /** Creates an agent out of a character; it has to be started. An agent that has its id and its name already is answered as it is. */
  @Post()
  @Refuses('VALIDATION_ERROR', 'CHARACTER_INVALID', 'CONFLICT')
  async create(@Body() body: CreateAgentBody): Promise<CreatedAgentView> {
    const source = sourceOf(body);
    const agent = await ('path' in source ? this.lifecycle.createFromFile(source.path) : this.lifecycle.create(source.character));
    return presentCreated(agent, this.agents.secretNames(agent.id));
  }

  /** An agent with its character; secrets are names with a mask. */
  @Get(':agentId')
  @Refuses('INVALID_ID', 'AGENT_NOT_FOUND')
  async read(@Param('agentId', UuidPipe) agentId: string): Promise<AgentView> {
    return this.shown(this.agents.require(agentId));
  }

  /** Changes an agent's character, also while it runs. */
  @Patch(':agentId')
  @Refuses('INVALID_ID', 'VALIDATION_ERROR', 'CHARACTER_INVALID', 'AGENT_NOT_FOUND', 'CONFLICT')
  async update(@Param('agentId', UuidPipe) agentId: string, @Body() body: UpdateAgentBody): Promise<AgentView> {
    return this.shown(await this.lifecycle.update(agentId, { ...body }));
  }

  /** Deletes an agent with all it owns. */
  @Delete(':agentId')
  @HttpCode(204)
  @Refuses('INVALID_ID', 'AGENT_NOT_FOUND')
  async delete(@Param('agentId', UuidPipe) agentId: string): Promise<void> {
    await this.lifecycle.delete(agentId);
  }

  /** Lets an agent take part in conversations. */
  @Post(':agentId/start')
  @HttpCode(200)
  @Refuses('INVALID_ID', 'AGENT_NOT_FOUND')
  async start(@Param('agentId', UuidPipe) agentId: string): Promise<AgentStatusView> {
    return presentStatus(await this.lifecycle.start(agentId));
  }

  /** Takes an agent out of conversations and cancels the answers that it owes. */
  @Post(':agentId/stop')
  @HttpCode(200)
  @Hybrid()
  @Refuses('INVALID_ID', 'AGENT_NOT_FOUND')
  async stop(@Param('agentId', UuidPipe) agentId: string): Promise<StoppedAgentView> {
    return { ...presentStatus(await this.lifecycle.stop(agentId)), message: 'Agent stopped' };
  }

  private shown(agent: Agent): AgentView {
    return presentAgent(agent, this.agents.secretNames(agent.id));
  }
}
