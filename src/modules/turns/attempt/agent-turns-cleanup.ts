import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import { UnitOfWork, type Statement, type Transaction } from '../../../core/database/index.js';
import { append } from '../../../core/journal/index.js';
import { type AgentLifecycleHook } from '../../agents/index.js';
import { ChannelsService } from '../../messaging/index.js';
import { TurnRequests } from '../requests/turn-requests.js';
import { toTurnReference } from '../turn-reference.js';
import { TurnUsageRecorder } from './turn-usage.js';
import { TurnsRepository } from '../turns.repository.js';

const BATCH = 500;

/**
 * Cancels the pending turns of an agent that stops and deletes the turns of a deleted agent, so that no client waits for a reply that
 * never comes.
 */
@Injectable()
export class AgentTurnsCleanup implements AgentLifecycleHook {
  constructor(
    private readonly repository: TurnsRepository,
    private readonly channels: ChannelsService,
    private readonly usage: TurnUsageRecorder,
    private readonly requests: TurnRequests,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async onAgentStopped(agent: { readonly id: string; readonly name: string }, tx: Transaction): Promise<Statement[]> {
    const now = this.clock.now();
    const error = {
      code: 'TURN_CANCELLED',
      message: `Agent ${agent.name} was stopped before it replied.`,
      details: 'The message is stored. Send it again when the agent runs.',
    };
    const pending = await this.repository.unendedOfAgent(tx, agent.id);
    const statements = await this.usage.recordCancelled(pending, tx);
    for (const turn of pending) {
      statements.push(this.requests.deleteOf(turn.messageId));
      const channel = await this.channels.find(turn.channelId);
      if (channel) statements.push(append('turn.cancelled', channel.id, { ...toTurnReference(turn, channel, agent), error }, now));
    }
    return [...statements, this.repository.cancelOfAgent(agent.id, now)];
  }

  async purgeAgent(agentId: string): Promise<void> {
    for (let deleted = BATCH; deleted > 0;) {
      const [outcome] = await this.unitOfWork.commit([this.repository.deleteOfAgent(agentId, BATCH)]);
      deleted = outcome?.changed ?? 0;
    }
  }

  async onAgentDeleted({ id }: { readonly id: string }): Promise<Statement[]> {
    return [this.repository.deleteOfAgent(id, Number.MAX_SAFE_INTEGER)];
  }
}
