import { Injectable } from '@nestjs/common';
import type { Problem, ProblemSource } from '../../core/health/index.js';
import type { MetricSource, Reading } from '../../core/telemetry/index.js';
import { ModelRegistry } from './model-registry.js';
import { MODELS_METRICS } from './models.metrics.js';
import type { HeldCalls } from './service-limit.js';

/** A call that has waited for less is no problem, ms. */
const SHOWN_AFTER_MS = 30_000;

/** Tells of calls that wait because their service accepts no more of them. */
@Injectable()
export class HeldCallsSource implements MetricSource, ProblemSource {
  readonly source = 'models';

  constructor(private readonly models: ModelRegistry) {}

  read(): readonly Reading[] {
    const { held, oldest } = MODELS_METRICS;
    return this.byModel().flatMap(({ provider, model, calls, oldestMs }) => [
      held.reading(calls, { provider, model }),
      oldest.reading(oldestMs, { provider, model }),
    ]);
  }

  problems(): Promise<readonly Problem[]> {
    const late = this.byModel().filter(({ oldestMs }) => oldestMs >= SHOWN_AFTER_MS);
    return Promise.resolve(
      late.map(({ provider, model, calls, oldestMs, refusal }) => ({
        ...{ kind: 'model' as const, subject: model, count: calls, at: refusal?.at ?? null },
        message: `Calls of ${model} (${provider}) wait because the service accepts no more of them: ${calls}, the oldest for ${Math.round(oldestMs / 1000)} s.`,
        details: `${refusal?.error.message} ${refusal?.error.details}`,
      })),
    );
  }

  /** Agents may have services of their own with the same model. */
  private byModel(): HeldCalls[] {
    const byModel = new Map<string, HeldCalls>();
    for (const each of this.models.heldCalls()) {
      const key = `${each.provider} ${each.model}`;
      const other = byModel.get(key);
      const older = other && other.oldestMs > each.oldestMs ? other : each;
      byModel.set(key, { ...older, calls: each.calls + (other?.calls ?? 0) });
    }
    return [...byModel.values()];
  }
}
