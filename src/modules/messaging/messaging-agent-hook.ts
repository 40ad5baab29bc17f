import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { UnitOfWork, type Statement } from '../../core/database/index.js';
import { append } from '../../core/journal/index.js';
import { type AgentLifecycleHook } from '../agents/index.js';
import { toJournalChannel } from './channels/channel-rows.js';
import { ChannelsService } from './channels/channels.service.js';
import { GENERAL_CHANNEL_ID } from './channels/general-channel.js';
import { MessageHooks } from './messages/message-hooks.js';
import { ChannelsRepository } from './channels/channels.repository.js';

const BATCH = 200;

/** Adds new agents to the general channel, and removes deleted agents from all channels. */
@Injectable()
export class MessagingAgentHook implements AgentLifecycleHook {
  constructor(
    private readonly channels: ChannelsService,
    private readonly repository: ChannelsRepository,
    private readonly hooks: MessageHooks,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async onAgentCreated({ id }: { readonly id: string }): Promise<Statement[]> {
    const now = this.clock.now();
    const general = await this.channels.find(GENERAL_CHANNEL_ID);
    if (!general) return [];
    const joining = { entityId: id, kind: 'agent' as const, joinedAt: now };
    return [
      append('channel.updated', general.id, toJournalChannel({ ...general, participants: [...general.participants, joining] }), now),
      this.repository.insertParticipant(general.id, id, 'agent', now),
    ];
  }

  async purgeAgent(agentId: string): Promise<void> {
    for (;;) {
      const channelIds = await this.repository.channelsOf(agentId, BATCH);
      if (channelIds.length === 0) return;
      const now = this.clock.now();
      const found = await Promise.all(channelIds.map((id) => this.channels.find(id)));
      await this.unitOfWork.commit([
        ...found.flatMap((channel) => {
          if (!channel) return [];
          const participants = channel.participants.filter(({ entityId }) => entityId !== agentId);
          return [append('channel.updated', channel.id, toJournalChannel({ ...channel, participants }), now)];
        }),
        ...channelIds.map((id) => this.repository.removeParticipant(id, agentId)),
        ...channelIds.flatMap((id) => this.hooks.onParticipantsLeft(id, [agentId])),
      ]);
    }
  }
}
