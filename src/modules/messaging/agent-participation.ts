import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { UnitOfWork, type Statement } from '../../core/database/index.js';
import { append } from '../../core/journal/index.js';
import { AgentCompanions, type AgentCompanion } from '../agents/index.js';
import { ChannelsService, GENERAL_CHANNEL_ID, journalChannel } from './channels.service.js';
import { Obligations } from './obligations.js';
import { ChannelsRepository } from './repositories/channels.repository.js';

const BATCH = 200;

/** Where agents take part: everyone in the channel that an installation comes with, and nobody who was deleted in any. */
@Injectable()
export class AgentParticipation implements AgentCompanion, OnModuleInit {
  constructor(
    private readonly companions: AgentCompanions,
    private readonly channels: ChannelsService,
    private readonly repository: ChannelsRepository,
    private readonly obligations: Obligations,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.companions.register(this);
  }

  async created({ id }: { readonly id: string }): Promise<Statement[]> {
    const now = this.clock.now();
    const general = await this.channels.find(GENERAL_CHANNEL_ID);
    if (!general) return [];
    const joining = { entityId: id, kind: 'agent' as const, joinedAt: now };
    return [
      append('channel.updated', general.id, journalChannel({ ...general, participants: [...general.participants, joining] }), now),
      this.repository.insertParticipant(general.id, id, 'agent', now),
    ];
  }

  async purge(agentId: string): Promise<void> {
    for (;;) {
      const channelIds = await this.repository.channelsOf(agentId, BATCH);
      if (channelIds.length === 0) return;
      const now = this.clock.now();
      const found = await Promise.all(channelIds.map((id) => this.channels.find(id)));
      await this.unitOfWork.commit([
        ...found.flatMap((channel) => {
          if (!channel) return [];
          const participants = channel.participants.filter(({ entityId }) => entityId !== agentId);
          return [append('channel.updated', channel.id, journalChannel({ ...channel, participants }), now)];
        }),
        ...channelIds.map((id) => this.repository.removeParticipant(id, agentId)),
        ...channelIds.flatMap((id) => this.obligations.all().flatMap((obligation) => obligation.leave?.(id, [agentId]) ?? [])),
      ]);
    }
  }
}
