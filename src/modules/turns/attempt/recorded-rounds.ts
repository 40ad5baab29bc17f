import type { ChatReasoning, ChatUsage } from '../../../providers/models/index.js';
import { addUsage, NO_USAGE, type ModelUsage } from '../../usage/index.js';
import type { ToolCall } from '../tools/action-arguments.js';
import type { ActionOutcome } from '../tools/action-result.js';

/** A model call that requested tools, and the outcomes of the tool calls so far, in order. */
export interface ModelRound {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly outcomes: ActionOutcome[];
  readonly reasoning?: ChatReasoning;
}

export interface RecordedStep {
  readonly kind: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Rebuilds the rounds that earlier attempts recorded. @param open unseals reasoning */
export function readRounds(steps: readonly RecordedStep[], open: (sealed: unknown) => ChatReasoning | undefined): ModelRound[] {
  const found: ModelRound[] = [];
  for (const { kind, payload } of steps) {
    const { text, calls, reasoning } = payload as { text?: string; calls?: ToolCall[]; reasoning?: string };
    if (kind === 'model') found.push({ text: text ?? '', calls: calls ?? [], outcomes: [], reasoning: open(reasoning) });
    else if (kind === 'action') found.at(-1)?.outcomes.push(payload as unknown as ActionOutcome);
  }
  return found;
}

/** Total usage of the recorded model calls. */
export function sumUsage(steps: readonly RecordedStep[]): ModelUsage {
  return steps
    .filter(({ kind }) => kind === 'model')
    .map(({ payload }) => {
      const { provider = null, model = null, usage = {}, durationMs = 0 } = payload as RecordedCall;
      return { provider, model, inputTokens: usage.inputTokens ?? null, outputTokens: usage.outputTokens ?? null, calls: 1, durationMs };
    })
    .reduce(addUsage, NO_USAGE);
}

interface RecordedCall {
  readonly provider?: string;
  readonly model?: string;
  readonly usage?: ChatUsage;
  readonly durationMs?: number;
}
