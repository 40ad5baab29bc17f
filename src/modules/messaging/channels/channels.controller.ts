import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import {
  ApiDialect,
  AllowRestricted,
  AllowScopedTokens,
  PathIdsGuard,
  ApiErrors,
  UuidPipe,
  VouchedUsers,
  type Dialect,
  type Users,
} from '../../../core/http/index.js';
import { CreatedId } from '../../../core/idempotency/index.js';
import { AgentsService } from '../../agents/index.js';
import {
  AgentBody,
  ChannelAgentsView,
  ChannelAgentView,
  ChannelView,
  CreateChannelBody,
  NewChannelView,
  ParticipantsQuery,
  presentChannel,
  presentChannelAgents,
  presentNewChannel,
  presentParticipants,
  toCreate,
  toUpdate,
  UpdateChannelBody,
  UpdateChannelQuery,
  type ParticipantListView,
  type ParticipantView,
} from './channels.dto.js';
import { ChannelsService } from './channels.service.js';
import { CHANNEL_PATHS, DeprecatedPathGuard } from '../paths.js';

@Controller(CHANNEL_PATHS)
@UseGuards(DeprecatedPathGuard, PathIdsGuard)
export class ChannelsController {
  constructor(
    private readonly channels: ChannelsService,
    private readonly agents: AgentsService,
  ) {}

  /** Creates a channel. */
  @Post()
  @AllowRestricted()
  @ApiErrors('MESSAGE_SERVER_NOT_FOUND')
  async create(@Body() body: CreateChannelBody, @VouchedUsers() users: Users, @CreatedId() createdId?: string): Promise<NewChannelView> {
    return presentNewChannel(await this.channels.create({ ...toCreate(body), users }, createdId));
  }

  /** A channel, with its participants in the metadata. */
  @Get([':channelId', ':channelId/details'])
  @AllowScopedTokens()
  @ApiErrors('CHANNEL_NOT_FOUND')
  async read(@Param('channelId', UuidPipe) channelId: string): Promise<NewChannelView> {
    return presentNewChannel(await this.channels.current(channelId));
  }

  /** Updates channel properties. */
  @Patch(':channelId')
  @ApiErrors('CHANNEL_NOT_FOUND')
  async update(
    @Param('channelId', UuidPipe) channelId: string,
    @Body() body: UpdateChannelBody,
    @Query() { metadata }: UpdateChannelQuery,
    @VouchedUsers() users: Users,
  ): Promise<ChannelView> {
    return presentChannel(await this.channels.update(channelId, { ...toUpdate(body, metadata === 'merge'), users }));
  }

  /** Deletes a channel with its messages. */
  @Delete(':channelId')
  @HttpCode(204)
  @ApiErrors('CHANNEL_NOT_FOUND')
  async delete(@Param('channelId', UuidPipe) channelId: string): Promise<void> {
    await this.channels.delete(channelId);
  }

  /** Ids of a channel's participants; objects with `?expand=true` and in the dialect eliza. */
  @Get(':channelId/participants')
  @ApiErrors('CHANNEL_NOT_FOUND')
  async participants(
    @Param('channelId', UuidPipe) channelId: string,
    @Query() { expand }: ParticipantsQuery,
    @ApiDialect() dialect: Dialect,
  ): Promise<string[] | ParticipantView[] | ParticipantListView> {
    const channel = await this.channels.current(channelId);
    if (dialect === 'spec' && expand !== 'true') return channel.participants.map(({ entityId }) => entityId);
    const participants = presentParticipants(channel, (id) => this.agents.find(id)?.name);
    return dialect === 'eliza' ? { participants } : participants;
  }

  /** The participants of a channel, and which of them are agents. */
  @Get(':channelId/agents')
  @ApiErrors('CHANNEL_NOT_FOUND')
  async agentsOf(@Param('channelId', UuidPipe) channelId: string): Promise<ChannelAgentsView> {
    return presentChannelAgents(await this.channels.current(channelId));
  }

  /** Adds an agent to a channel. */
  @Post(':channelId/agents')
  @ApiErrors('CHANNEL_NOT_FOUND', 'AGENT_NOT_FOUND')
  async addAgent(@Param('channelId', UuidPipe) channelId: string, @Body() body: AgentBody): Promise<ChannelAgentView> {
    const channel = await this.channels.require(channelId);
    const agentId = this.agents.require(body.agentId).id;
    await this.channels.join(channel, agentId);
    return { success: true, channelId, agentId, message: 'Agent added to channel' };
  }

  /** Removes an agent from a channel. */
  @Delete(':channelId/agents/:agentId')
  @ApiErrors('CHANNEL_NOT_FOUND', 'PARTICIPANT_NOT_FOUND')
  async removeAgent(
    @Param('channelId', UuidPipe) channelId: string,
    @Param('agentId', UuidPipe) agentId: string,
    @VouchedUsers() users: Users,
  ): Promise<ChannelAgentView> {
    await this.channels.update(channelId, { leaving: [agentId], users });
    return { success: true, channelId, agentId, message: 'Agent removed from channel' };
  }
}
