import { errorMessage } from '../../../core/errors/index.js';
import { characterCount, hasAtMost, shortened } from '../../../core/text/index.js';
import type { ActionResult } from '../../../plugin-sdk/index.js';
import type { ToolCall } from './action-arguments.js';

/** The outcome of an action call, as recorded. The model receives only the result. */
export interface ActionOutcome {
  readonly call: ToolCall;
  /** Name of the action; the called name when no such action exists. */
  readonly action: string;
  readonly result: ActionResult;
  /** Ids of the messages that the action sent. */
  readonly messages: readonly string[];
  readonly durationMs: number;
  /** True when the caller ran it. */
  readonly byCaller?: true;
  /** Why the handler was not called. */
  readonly refused?: 'unknown-action' | 'invalid-arguments' | 'too-many-tries';
}

/** Keys that `toActionResult` reads. */
export const RESULT_KEYS: readonly string[] = ['success', 'text', 'values', 'data', 'error'];

// Limits the model's context and the size of the row.
const MAX_PART_LENGTH = 20_000;

/** Converts a handler's return value to JSON: undefined and `true` mean success, `false` means failure. */
export function toActionResult(returned: unknown): ActionResult {
  if (typeof returned === 'string') return { success: true, text: shortened(returned, MAX_PART_LENGTH) };
  if (typeof returned !== 'object' || returned === null) return { success: returned !== false };
  const { success = true, text, values, data, error } = returned as ActionResult;
  return {
    success,
    ...(typeof text === 'string' ? { text: shortened(text, MAX_PART_LENGTH) } : {}),
    ...part('values', values),
    ...part('data', data),
    ...(error === undefined || error === null ? {} : { error: shortened(errorMessage(error), MAX_PART_LENGTH) }),
  };
}

export function failedResult(error: unknown): ActionResult {
  return { success: false, error: shortened(errorMessage(error), MAX_PART_LENGTH) };
}

/** The result as text for the model. */
export function resultText(result: ActionResult): string {
  return JSON.stringify(result);
}

function part(name: 'values' | 'data', value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  try {
    const text = JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? String(each) : each)) as string | undefined;
    if (text === undefined) return {};
    return {
      [name]: !hasAtMost(text, MAX_PART_LENGTH) ? { leftOut: `${characterCount(text)} characters` } : (JSON.parse(text) as unknown),
    };
  } catch (error) {
    return { [name]: { leftOut: errorMessage(error) } };
  }
}
