import { USAGE_METRICS } from './usage.metrics.js';

const MAX_NAME_LENGTH = 255;

/** Usage of model calls. */
export interface ModelUsage {
  readonly provider: string | null;
  readonly model: string | null;
  /** Null when no call reported tokens. */
  readonly inputTokens: number | null;
  /** Null when no call reported tokens. */
  readonly outputTokens: number | null;
  /** Number of model calls, including failed ones. */
  readonly calls: number;
  /** Total duration of the calls, ms. */
  readonly durationMs: number;
}

/** Usage of a turn or of a summary, with its agent and user. */
export interface TurnUsage extends ModelUsage {
  /** `turn` when absent. */
  readonly kind?: 'turn' | 'summary' | 'extraction';
  /** Id of the reply; for a summary, of that after which it became due. */
  readonly turnId: string;
  readonly agentId: string;
  readonly channelId: string;
  /** The author of the message that the turn replies to. */
  readonly userId: string;
  /** When the turn or the model call ended, epoch ms. */
  readonly at: number;
}

/** Usage of an extraction of facts about a user. */
export type ExtractionUsage = Omit<TurnUsage, 'turnId'>;

/** Filter for totals. */
export interface UsageFilter {
  readonly agentId?: string;
  readonly userId?: string;
  /** Turns that ended at this instant or later, epoch ms. */
  readonly since: number;
}

export interface UsageSum {
  /** Turns that called a model. The other sums include the extraction of facts. */
  readonly turns: number;
  readonly calls: number;
  /** Tokens of the calls that reported them. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Total duration of the calls, ms. */
  readonly durationMs: number;
}

export const NO_USAGE: ModelUsage = { provider: null, model: null, inputTokens: null, outputTokens: null, calls: 0, durationMs: 0 };

/** Usage of one model call, whose tokens are counted for metrics; call it once for each. @param reported absent tokens were not reported. @param durationMs ms */
export function usageOfCall(
  { provider, modelId }: { readonly provider: string; readonly modelId: string },
  { inputTokens = null, outputTokens = null }: { readonly inputTokens?: number | null; readonly outputTokens?: number | null },
  durationMs: number,
): ModelUsage {
  count({ provider, model: modelId.slice(0, MAX_NAME_LENGTH), direction: 'input' }, inputTokens);
  count({ provider, model: modelId.slice(0, MAX_NAME_LENGTH), direction: 'output' }, outputTokens);
  return { provider, model: modelId, inputTokens, outputTokens, calls: 1, durationMs };
}

function count(labels: { provider: string; model: string; direction: 'input' | 'output' }, tokens: number | null): void {
  // Services have reported nonsense, which must not stay in a total.
  if (tokens !== null && Number.isFinite(tokens) && tokens > 0) USAGE_METRICS.tokens.with(labels).add(tokens);
}

/** Adds two usages; the provider and the model are those of the later one. */
export function addUsage(earlier: ModelUsage, later: ModelUsage): ModelUsage {
  return {
    provider: later.provider ?? earlier.provider,
    model: later.model ?? earlier.model,
    inputTokens: sum(earlier.inputTokens, later.inputTokens),
    outputTokens: sum(earlier.outputTokens, later.outputTokens),
    calls: earlier.calls + later.calls,
    durationMs: earlier.durationMs + later.durationMs,
  };
}

function sum(a: number | null, b: number | null): number | null {
  return a === null && b === null ? null : (a ?? 0) + (b ?? 0);
}

/** Usage of one model in one bucket. */
export interface BucketUsage {
  readonly bucket: number;
  readonly provider: string | null;
  readonly model: string | null;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}
