import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Res, UseGuards } from '@nestjs/common';
import {
  ApiDialect,
  takeFirst,
  AllowRestricted,
  FromCaller,
  pagedList,
  PathIdsGuard,
  ApiErrors,
  ApiResponses,
  NOT_MODIFIED,
  UuidPipe,
  type Caller,
  type Dialect,
  type HttpResponse,
} from '../../../core/http/index.js';
import {
  AgentBody,
  channelCursor,
  ListChannelsQuery,
  presentChannel,
  toChannelPage,
  type ChannelListView,
  type ChannelView,
} from '../channels/channels.dto.js';
import { channelFromRow } from '../channels/channel-rows.js';
import { ChannelsService } from '../channels/channels.service.js';
import { DeprecatedPathGuard, SERVER_PATHS } from '../paths.js';
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
import { ServerChannelList } from './server-channel-list.js';
import { ServersService } from './servers.service.js';

// The text around the list in the body of each dialect.
const PLAIN_LIST = ['{"success":true,"data":', '}'] as const;
const ELIZA_LIST = ['{"success":true,"data":{"channels":', '}}'] as const;

@Controller(SERVER_PATHS)
@UseGuards(DeprecatedPathGuard, PathIdsGuard)
export class ServersController {
  constructor(
    private readonly servers: ServersService,
    private readonly channels: ChannelsService,
    private readonly channelList: ServerChannelList,
  ) {}

  /** All message servers, or a page of them with `limit`. */
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
  @ApiErrors('MESSAGE_SERVER_NOT_FOUND', 'CONFLICT')
  async delete(@Param('messageServerId', UuidPipe) serverId: string): Promise<void> {
    await this.servers.delete(serverId);
  }

  /**
   * All channels of a message server, or a page of them with `limit`; `X-Next-Cursor` is the cursor of the next page. A whole list of usual
   * length has an `ETag`; a request with this tag in `If-None-Match` gets 304 while the list is the same.
   */
  @Get(':messageServerId/channels')
  @AllowRestricted()
  @ApiErrors('MESSAGE_SERVER_NOT_FOUND')
  @ApiResponses(NOT_MODIFIED)
  async channelsOf(
    @Param('messageServerId', UuidPipe) serverId: string,
    @Query() query: ListChannelsQuery,
    @ApiDialect() dialect: Dialect,
    @FromCaller() caller: Caller,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<ChannelView[] | ChannelListView> {
    const { limit, after } = toChannelPage(query);
    if (limit === undefined && after === undefined) {
      const ready = await this.channelList.of(serverId, caller.agents);
      if (ready) return dialect === 'eliza' ? ready.response(...ELIZA_LIST) : ready.response(...PLAIN_LIST);
    }
    const pages = await this.channels.ofServer(serverId, { after, limit, agents: caller.agents });
    const page = limit === undefined ? undefined : await takeFirst(pages, limit);
    const channels = pagedList(
      () => (page ? [page.rows] : pages),
      (row) => presentChannel(channelFromRow(row)),
    );
    const last = page?.more === true ? page.rows.at(-1) : undefined;
    const nextCursor = last && channelCursor({ createdAt: Number(last['createdAt']), id: last['id'] as string });
    if (nextCursor !== undefined) response.set('X-Next-Cursor', nextCursor);
    // The specification requires an array, the original's client an object.
    return dialect === 'eliza' ? { channels, ...(nextCursor === undefined ? {} : { nextCursor }) } : channels;
  }

  /** Creates and updates the channels that mirror those of another platform. */
  @Post(':messageServerId/sync-channels')
  @HttpCode(200)
  @ApiErrors('MESSAGE_SERVER_NOT_FOUND')
  async sync(@Param('messageServerId', UuidPipe) serverId: string, @Body() body: SyncChannelsBody): Promise<SyncedView> {
    const channels = await this.servers.syncChannels(serverId, toSyncedChannels(body));
    return { synced: channels.length, channelIds: channels.map(({ id }) => id) };
  }

  /** The agents of a message server. */
  @Get(':messageServerId/agents')
  @ApiErrors('MESSAGE_SERVER_NOT_FOUND')
  async agentsOf(@Param('messageServerId', UuidPipe) messageServerId: string): Promise<ServerAgentsView> {
    return nested({ messageServerId, agents: await this.servers.agentsOf(messageServerId) });
  }

  /** Adds an agent to a message server. */
  @Post(':messageServerId/agents')
  @ApiErrors('MESSAGE_SERVER_NOT_FOUND', 'AGENT_NOT_FOUND')
  async addAgent(@Param('messageServerId', UuidPipe) messageServerId: string, @Body() body: AgentBody): Promise<ServerAgentView> {
    const agentId = body.agentId.toLowerCase();
    await this.servers.addAgent(messageServerId, agentId);
    return nested({ messageServerId, agentId, message: 'Agent added to message server' });
  }

  /** Removes an agent from a message server and from all its channels. */
  @Delete(':messageServerId/agents/:agentId')
  @ApiErrors('MESSAGE_SERVER_NOT_FOUND', 'PARTICIPANT_NOT_FOUND')
  async removeAgent(
    @Param('messageServerId', UuidPipe) messageServerId: string,
    @Param('agentId', UuidPipe) agentId: string,
  ): Promise<ServerAgentView> {
    await this.servers.removeAgent(messageServerId, agentId);
    return nested({ messageServerId, agentId, message: 'Agent removed from message server' });
  }
}
