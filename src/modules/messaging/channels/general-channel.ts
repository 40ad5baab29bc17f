import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import { isUniqueViolation, UnitOfWork } from '../../../core/database/index.js';
import { DEFAULT_SERVER_ID, idFromText } from '../../../core/ids/index.js';
import { append } from '../../../core/journal/index.js';
import { AgentsService } from '../../agents/index.js';
import { toJournalChannel, toChannel } from './channel-rows.js';
import { ChannelsService } from './channels.service.js';
import { ChannelsRepository } from './channels.repository.js';
import { ServersRepository } from '../servers/servers.repository.js';

/** Id of the channel `general`, which every agent joins. */
export const GENERAL_CHANNEL_ID = idFromText(`general:${DEFAULT_SERVER_ID}`);

/** Creates the default server and its general channel with all agents. */
@Injectable()
export class GeneralChannel implements OnModuleInit {
  constructor(
    private readonly repository: ChannelsRepository,
    private readonly servers: ServersRepository,
    private readonly channels: ChannelsService,
    private readonly agents: AgentsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async onModuleInit(): Promise<void> {
    try {
      await this.ensure();
    } catch (error) {
      // Another process that started at the same time created them.
      if (!isUniqueViolation(error)) throw error;
      await this.ensure();
    }
  }

  private async ensure(): Promise<void> {
    const now = this.clock.now();
    const general = await this.repository.find(GENERAL_CHANNEL_ID);
    const agentIds = this.agents.list().map((agent) => agent.id);
    const statements = [
      this.servers.insert({
        id: DEFAULT_SERVER_ID,
        name: 'Default server',
        sourceType: 'parley',
        sourceId: null,
        metadata: {},
        createdAt: now,
        updatedAt: now,
      }),
    ];
    if (!general) {
      const creation = this.channels.prepareCreation({
        id: GENERAL_CHANNEL_ID,
        name: 'general',
        type: 'text',
        channelType: 'GROUP',
        participants: agentIds,
        users: 'all',
      });
      statements.push(...creation.statements);
    } else {
      const present = await this.repository.participantsOf(GENERAL_CHANNEL_ID);
      const known = new Set(present.map(({ entityId }) => entityId));
      const joining = agentIds
        .filter((agentId) => !known.has(agentId))
        .map((entityId) => ({ channelId: GENERAL_CHANNEL_ID, entityId, kind: 'agent' as const, joinedAt: now }));
      statements.push(...this.repository.insertParticipants(GENERAL_CHANNEL_ID, joining, now));
      if (joining.length > 0) {
        statements.push(append('channel.updated', general.id, toJournalChannel(toChannel(general, [...present, ...joining])), now));
      }
    }
    await this.unitOfWork.commit(statements);
  }
}
