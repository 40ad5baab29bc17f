import type { RecordedPrompt } from '../prompt/recorded-prompt.js';
import type { ActionsRecord, PromptRecord, RecallRecord } from '../prompt/prompt-record.js';
import type { StepRow } from './runs.repository.js';

/** Payload of a recorded model call. */
export interface ModelStep {
  readonly provider?: string;
  readonly model?: string;
  readonly reason?: string;
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number } | null;
  readonly durationMs?: number;
  readonly text?: string;
  /** Sealed. */
  readonly reasoning?: string;
  readonly calls?: readonly { readonly name: string }[];
}

/** Payload of the last step of an attempt, with its recall, what its prompt was made of, and the actions that it could call. */
export interface PromptPayload {
  readonly recall?: RecallRecord;
  readonly used?: PromptRecord;
  readonly actions?: ActionsRecord;
}

/** Payload of a model call or of a failure, with its prompt. */
export interface PromptStep {
  readonly prompt?: RecordedPrompt;
}

export interface RecordedEvaluation {
  readonly evaluator: string;
  readonly success: boolean;
  readonly error?: string;
  /** Epoch ms; absent in steps of former versions. */
  readonly startedAt?: number;
  readonly durationMs?: number;
}

export function evaluationsIn(payload: StepRow['payload']): readonly RecordedEvaluation[] {
  return payloadOf<{ evaluations: RecordedEvaluation[] }>(payload).evaluations ?? [];
}

export function payloadOf<T>(payload: StepRow['payload']): Partial<T> {
  return (payload ?? {}) as Partial<T>;
}
