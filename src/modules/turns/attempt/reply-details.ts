import { Injectable } from '@nestjs/common';
import type { ReplyDetails, ReplyDetailsSource, ReplyIds, ReplyUsage } from '../../messaging/index.js';
import type { ToolCall } from '../tools/action-arguments.js';
import type { ActionOutcome } from '../tools/action-result.js';
import { sumUsage } from './recorded-rounds.js';
import { TurnsRepository } from '../turns.repository.js';

/** What the steps of a turn tell of its reply. */
@Injectable()
export class TurnDetails implements ReplyDetailsSource {
  constructor(private readonly repository: TurnsRepository) {}

  async ofAction(reply: ReplyIds, step: number): Promise<Pick<ReplyDetails, 'arguments' | 'result'>> {
    const steps = (await this.repository.steps(reply)).slice(0, step + 1);
    const own = steps[step];
    if (own?.kind === 'action') {
      const { call, result } = own.payload as unknown as ActionOutcome;
      return { arguments: call.input, result };
    }
    // The action runs: its call is in the response of the model, behind those that have ended.
    const model = steps.findLastIndex(({ kind }) => kind === 'model');
    const call = (steps[model]?.payload['calls'] as readonly ToolCall[] | undefined)?.[step - model - 1];
    return call ? { arguments: call.input } : {};
  }

  async usageOf(reply: ReplyIds): Promise<ReplyUsage> {
    const { inputTokens, outputTokens, calls } = sumUsage(await this.repository.steps(reply));
    return { inputTokens, outputTokens, calls };
  }
}
