import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Res, UseGuards } from '@nestjs/common';
import {
  ApiDialect,
  firstOf,
  ForLimited,
  FromCaller,
  pagedList,
  PathIdsGuard,
  Refuses,
  UuidPipe,
  type Caller,
  type Dialect,
  type HttpResponse,
} from '../../core/http/index.js';
import {
  AgentBody,
  channelCursor,
  ListChannelsQuery,
  presentChannel,
  toChannelPage,
  type ChannelListView,
  type ChannelView,
} from './channels.dto.js';
import { channelOf, ChannelsService } from './channels.service.js';
import { DeprecatedPathGuard, SERVER_PATHS } from './paths.js';
import {
  CreateServerBody,
  ListServersQuery,
  MessageServerListView,
  nested,
  NewMessageServerView,
  presentServer,
  presentServers,
  ServerAgentsView,
  ServerAgentView,
  SyncChannelsBody,
  SyncedView,
  toCreateServer,
  toServerPage,
  toSyncedChannels,
} from './servers.dto.js';
import { ServersService } from './servers.service.js';

@Controller(SERVER_PATHS)
@UseGuards(DeprecatedPathGuard, PathIdsGuard)
export class ServersController {
  constructor(
    private readonly servers: ServersService,
    private readonly channels: ChannelsService,
  ) {}

  /** All message servers; with `limit` a page of them. */
  @Get()
  async list(@Query() query: ListServersQuery): Promise<MessageServerListView> {
    const page = toServerPage(query);
    return presentServers(() => this.servers.pages(page.after), page);
  }

  /** Creates a message server. */
  @Post()
  async create(@Body() body: CreateServerBody): Promise<NewMessageServerView> {
    const server = presentServer(await this.servers.create(toCreateServer(body)));
    return { ...server, server };
  }

  /** Deletes a message server with its channels and their messages. */
  @Delete(':messageServerId')
  @HttpCode(204)
  @Refuses('MESSAGE_SERVER_NOT_FOUND', 'CONFLICT')
  async delete(@Param('messageServerId', UuidPipe) serverId: string): Promise<void> {
    await this.servers.delete(serverId);
  }

  /** All channels of a message server; with `limit` a page of them, whose X-Next-Cursor leads to the next. */
  @Get(':messageServerId/channels')
  @ForLimited()
  @Refuses('MESSAGE_SERVER_NOT_FOUND')
  async channelsOf(
    @Param('messageServerId', UuidPipe) serverId: string,
    @Query() query: ListChannelsQuery,
    @ApiDialect() dialect: Dialect,
    @FromCaller() caller: Caller,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<ChannelView[] | ChannelListView> {
    const { limit, after } = toChannelPage(query);
    const pages = await this.channels.ofServer(serverId, { after, limit, agents: caller.agents });
    const page = limit === undefined ? undefined : await firstOf(pages, limit);
    const channels = pagedList(
      () => (page ? [page.rows] : pages),
      (row) => presentChannel(channelOf(row)),
    );
    const last = page?.more === true ? page.rows.at(-1) : undefined;
    const nextCursor = last && channelCursor(channelOf(last));
    if (nextCursor !== undefined) response.set('X-Next-Cursor', nextCursor);
    // An array for the specification, an object for the original's client: no union serves both.
    return dialect === 'eliza' ? { channels, ...(nextCursor === undefined ? {} : { nextCursor }) } : channels;
  }

  /** Creates and updates channels as the platform has them that the server mirrors. */
  @Post(':messageServerId/sync-channels')
  @HttpCode(200)
  @Refuses('MESSAGE_SERVER_NOT_FOUND')
  async sync(@Param('messageServerId', UuidPipe) serverId: string, @Body() body: SyncChannelsBody): Promise<SyncedView> {
    const channels = await this.servers.syncChannels(serverId, toSyncedChannels(body));
    return { synced: channels.length, channelIds: channels.map(({ id }) => id) };
  }

  /** The agents of a message server. */
  @Get(':messageServerId/agents')
  @Refuses('MESSAGE_SERVER_NOT_FOUND')
  async agentsOf(@Param('messageServerId', UuidPipe) messageServerId: string): Promise<ServerAgentsView> {
    return nested({ messageServerId, agents: await this.servers.agentsOf(messageServerId) });
  }

  /** Adds an agent to a message server. */
  @Post(':messageServerId/agents')
  @Refuses('MESSAGE_SERVER_NOT_FOUND', 'AGENT_NOT_FOUND')
  async addAgent(@Param('messageServerId', UuidPipe) messageServerId: string, @Body() body: AgentBody): Promise<ServerAgentView> {
    const agentId = body.agentId.toLowerCase();
    await this.servers.addAgent(messageServerId, agentId);
    return nested({ messageServerId, agentId, message: 'Agent added to message server' });
  }

  /** Takes an agent out of a message server and of all its channels. */
  @Delete(':messageServerId/agents/:agentId')
  @Refuses('MESSAGE_SERVER_NOT_FOUND', 'PARTICIPANT_NOT_FOUND')
  async removeAgent(
    @Param('messageServerId', UuidPipe) messageServerId: string,
    @Param('agentId', UuidPipe) agentId: string,
  ): Promise<ServerAgentView> {
    await this.servers.removeAgent(messageServerId, agentId);
    return nested({ messageServerId, agentId, message: 'Agent removed from message server' });
  }
}
