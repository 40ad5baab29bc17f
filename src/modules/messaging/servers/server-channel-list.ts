import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ReadyLists, type ListItem, type ReadyList } from '../../../core/lists/index.js';
import { Journal } from '../../../core/journal/index.js';
import type { Channel } from '../channels/channel-types.js';
import { channelFromRow, toChannel } from '../channels/channel-rows.js';
import { presentChannel } from '../channels/channels.dto.js';
import { ChannelsService } from '../channels/channels.service.js';
import { ChannelsRepository } from '../channels/channels.repository.js';

/** The channels of message servers as JSON text, kept up to date by the journal. */
@Injectable()
export class ServerChannelList implements OnModuleInit {
  private readonly lists = new ReadyLists({
    pages: (serverId) => this.pages(serverId),
    some: async (serverId, ids) => {
      const rows = await this.repository.findAll(ids);
      return this.items(rows.filter((row) => row.serverId === serverId).map((row) => toChannel(row, [])));
    },
  });

  constructor(
    private readonly repository: ChannelsRepository,
    private readonly channels: ChannelsService,
    private readonly journal: Journal,
  ) {}

  onModuleInit(): void {
    this.journal.subscribe((entry) => {
      if (entry.type === 'channel.created' || entry.type === 'channel.updated') {
        this.lists.changed(entry.payload.id, entry.payload.serverId);
      } else if (entry.type === 'channel.deleted') this.lists.changed(entry.payload.channelId);
      else if (entry.type === 'message-server.deleted') this.lists.drop(entry.payload.serverId);
      else if (entry.type === 'user.forgotten') this.lists.dropAll();
    });
  }

  /**
   * The channels of a server in the order of their creation, with every write that was acknowledged before this call.
   *
   * @param agents only channels with agents whose agents are all in this set
   * @returns undefined when the list is too long to be kept
   * @throws AppError MESSAGE_SERVER_NOT_FOUND
   */
  async of(serverId: string, agents?: ReadonlySet<string>): Promise<ReadyList | undefined> {
    const behind = this.journal.catchUp();
    if (behind) await behind;
    return this.lists.of(serverId, agents);
  }

  private async *pages(serverId: string): AsyncGenerator<readonly ListItem[], void> {
    for await (const page of await this.channels.ofServer(serverId, {})) yield await this.items(page.map(channelFromRow));
  }

  private async items(channels: readonly Channel[]): Promise<ListItem[]> {
    const agents = await this.repository.agentsOf(channels.map(({ id }) => id));
    return channels.map((channel) => ({
      id: channel.id,
      order: channel.createdAt,
      text: Buffer.from(JSON.stringify(presentChannel(channel))),
      agents: agents.get(channel.id) ?? [],
    }));
  }
}
