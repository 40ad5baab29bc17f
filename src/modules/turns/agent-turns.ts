import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { UnitOfWork, type Statement, type Transaction } from '../../core/database/index.js';
import { append } from '../../core/journal/index.js';
import { AgentCompanions, type AgentCompanion } from '../agents/index.js';
import { ChannelsService } from '../messaging/index.js';
import { referenceOf } from './turn-obligation.js';
import { TurnsRepository } from './turns.repository.js';

const BATCH = 500;

/** What becomes of an agent's turns when it stops or goes: nobody waits for an answer that is not going to come. */
@Injectable()
export class AgentTurns implements AgentCompanion, OnModuleInit {
  constructor(
    private readonly companions: AgentCompanions,
    private readonly repository: TurnsRepository,
    private readonly channels: ChannelsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.companions.register(this);
  }

  async stopped(agent: { readonly id: string; readonly name: string }, tx: Transaction): Promise<Statement[]> {
    const now = this.clock.now();
    const error = {
      code: 'TURN_CANCELLED',
      message: `Agent ${agent.name} was stopped before it answered.`,
      details: 'The message is stored; send it again when the agent runs.',
    };
    const statements: Statement[] = [];
    for (const turn of await this.repository.owedByIn(tx, agent.id)) {
      const channel = await this.channels.find(turn.channelId);
      if (channel) statements.push(append('turn.cancelled', channel.id, { ...referenceOf(turn, channel, agent), error }, now));
    }
    return [...statements, this.repository.cancelAllOf(agent.id, now)];
  }

  async purge(agentId: string): Promise<void> {
    for (let deleted = BATCH; deleted > 0;) {
      const [outcome] = await this.unitOfWork.commit([this.repository.deleteOf(agentId, BATCH)]);
      deleted = outcome?.changed ?? 0;
    }
  }

  async deleted({ id }: { readonly id: string }): Promise<Statement[]> {
    return [this.repository.deleteOf(id, Number.MAX_SAFE_INTEGER)];
  }
}
