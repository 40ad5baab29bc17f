import type { ToolCall } from './action-arguments.js';
import type { ActionOutcome } from './action-result.js';

/** One call of the model that ended in calls of tools, and what came of those so far, in their order. */
export interface ModelRound {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly outcomes: ActionOutcome[];
}

export interface RecordedStep {
  readonly kind: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The rounds that earlier attempts at a turn have recorded. */
export function rounds(steps: readonly RecordedStep[]): ModelRound[] {
  const found: ModelRound[] = [];
  for (const { kind, payload } of steps) {
    const { text, calls } = payload as { text?: string; calls?: ToolCall[] };
    if (kind === 'model') found.push({ text: text ?? '', calls: calls ?? [], outcomes: [] });
    else if (kind === 'action') found.at(-1)?.outcomes.push(payload as unknown as ActionOutcome);
  }
  return found;
}
