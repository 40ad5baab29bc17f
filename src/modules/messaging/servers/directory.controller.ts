import { Body, Controller, Get, Param, Post, Query, UseGuards } from '@nestjs/common';
import { AppError } from '../../../core/errors/index.js';
import {
  AllowRestricted,
  AllowUserTokens,
  ApiErrors,
  FromCaller,
  PathIdsGuard,
  Scope,
  usersOf,
  UuidPipe,
  VouchedUsers,
  type Caller,
  type Users,
} from '../../../core/http/index.js';
import { CreatedId } from '../../../core/idempotency/index.js';
import { DEFAULT_SERVER_ID } from '../../../core/ids/index.js';
import { AgentsService } from '../../agents/index.js';
import { CreateChannelBody, DmChannelQuery, NewChannelView, presentNewChannel, toCreate } from '../channels/channels.dto.js';
import { ChannelsService } from '../channels/channels.service.js';
import { DerivedChannels } from '../channels/derived-channels.js';
import { AgentServersView, CurrentServerView, nested } from './servers.dto.js';
import { ServersService } from './servers.service.js';

/** Looks up servers and channels by other keys than their ids. */
@Controller('api/messaging')
@UseGuards(PathIdsGuard)
export class DirectoryController {
  constructor(
    private readonly servers: ServersService,
    private readonly channels: ChannelsService,
    private readonly derived: DerivedChannels,
    private readonly agents: AgentsService,
  ) {}

  /** The default message server. */
  @Get('message-server/current')
  @AllowRestricted()
  async current(): Promise<CurrentServerView> {
    return { messageServerId: DEFAULT_SERVER_ID };
  }

  /** The message servers of an agent. */
  @Get('agents/:agentId/message-servers')
  @ApiErrors('AGENT_NOT_FOUND')
  async serversOf(@Param('agentId', UuidPipe) agentId: string): Promise<AgentServersView> {
    return nested({ agentId, messageServers: await this.servers.serversOf(agentId) });
  }

  /** The direct channel of two users or agents; created if it does not exist. */
  @Get('dm-channel')
  @Scope('write')
  @ApiErrors('MESSAGE_SERVER_NOT_FOUND')
  @AllowRestricted()
  @AllowUserTokens()
  async directChannel(@Query() query: DmChannelQuery, @FromCaller() caller: Caller): Promise<NewChannelView> {
    const one = query.currentUserId ?? query.userId1 ?? caller.actsFor;
    const other = query.targetUserId ?? query.userId2;
    if (one === undefined) throw new AppError('VALIDATION_ERROR', 'currentUserId is missing', 'Send the UUIDs of both participants.');
    if (other === undefined) throw new AppError('VALIDATION_ERROR', 'targetUserId is missing', 'Send the UUIDs of both participants.');
    if ((caller.user || caller.agents) && (this.agents.find(one) ?? this.agents.find(other)) === undefined) {
      throw new AppError('FORBIDDEN', 'The credential opens direct channels with agents only.', 'Send the id of an agent as targetUserId.');
    }
    if (caller.user && this.agents.find(caller.user.id)) {
      throw new AppError('FORBIDDEN', 'The user of this token is an agent.', 'Sign tokens with the id of a user as sub.');
    }
    return presentNewChannel(await this.derived.direct(one, other, usersOf(caller), query.dmServerId, query.name));
  }

  /** Creates a group channel, at the path of older clients. */
  @Post('group-channels')
  @AllowRestricted()
  @ApiErrors('MESSAGE_SERVER_NOT_FOUND')
  async createGroup(
    @Body() body: CreateChannelBody,
    @VouchedUsers() users: Users,
    @CreatedId() createdId?: string,
  ): Promise<NewChannelView> {
    return presentNewChannel(await this.channels.create({ ...toCreate(body), users }, createdId));
  }
}
