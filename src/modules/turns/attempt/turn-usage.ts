import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import type { Statement, Transaction } from '../../../core/database/index.js';
import { MessagesService } from '../../messaging/index.js';
import { UsageService, type ModelUsage } from '../../usage/index.js';
import { sumUsage } from './recorded-rounds.js';
import { TurnsRepository } from '../turns.repository.js';
import type { PendingTurn, Turn } from '../turns.types.js';

/** Records the usage of a turn in the transaction that ends it. A turn without model calls has no usage. */
@Injectable()
export class TurnUsageRecorder {
  constructor(
    private readonly usage: UsageService,
    private readonly repository: TurnsRepository,
    private readonly messages: MessagesService,
    private readonly clock: Clock,
  ) {}

  recordEnded(turn: Turn, usage: ModelUsage): Statement[] {
    return this.record(turn, turn.message.authorId, usage);
  }

  /** Usage of cancelled turns, from their recorded model calls. The interrupted call is not included. */
  async recordCancelled(turns: readonly PendingTurn[], tx: Transaction): Promise<Statement[]> {
    const begun = turns.filter((turn) => turn.resumed === true);
    if (begun.length === 0) return [];
    const ids = [...new Set(begun.map(({ messageId }) => messageId))];
    const [steps, authors] = [await this.repository.modelStepsIn(tx, ids), await this.messages.authors(ids)];
    return begun.flatMap((turn) => {
      const own = steps.filter(({ messageId, agentId }) => messageId === turn.messageId && agentId === turn.agentId);
      const authorId = authors.get(turn.messageId);
      return authorId === undefined ? [] : this.record(turn, authorId, sumUsage(own));
    });
  }

  private record({ replyId: turnId, agentId, channelId }: PendingTurn, userId: string, usage: ModelUsage): Statement[] {
    return usage.calls === 0 ? [] : [this.usage.record({ ...usage, turnId, agentId, channelId, userId, at: this.clock.now() })];
  }
}
