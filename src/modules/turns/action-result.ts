import type { ActionResult } from '../../plugin-sdk/index.js';
import type { ToolCall } from './action-arguments.js';
import { reasonOf } from './reason-of.js';

/** An action's end as it is recorded; the model sees all of it but the ids. */
export interface ActionOutcome {
  readonly call: ToolCall;
  /** Name of the action that was run; the called name when there was none. */
  readonly action: string;
  readonly result: ActionResult;
  /** Ids of the messages that it has sent. */
  readonly messages: readonly string[];
  readonly durationMs: number;
  /** Why no handler was called. */
  readonly refused?: 'unknown-action' | 'invalid-arguments' | 'too-many-tries';
}

// A model's context is not endless, and neither is a row.
const LONGEST_PART = 20_000;

/** What a handler returned, as JSON: nothing at all and `true` are success, `false` is failure. */
export function resultOf(returned: unknown): ActionResult {
  if (typeof returned === 'string') return { success: true, text: cut(returned) };
  if (typeof returned !== 'object' || returned === null) return { success: returned !== false };
  const { success = true, text, values, data, error } = returned as ActionResult;
  return {
    success,
    ...(typeof text === 'string' ? { text: cut(text) } : {}),
    ...part('values', values),
    ...part('data', data),
    ...(error === undefined || error === null ? {} : { error: cut(reasonOf(error)) }),
  };
}

export function failure(error: unknown): ActionResult {
  return { success: false, error: cut(reasonOf(error)) };
}

/** The result as the model reads it. */
export function resultText(result: ActionResult): string {
  return JSON.stringify(result);
}

function part(name: 'values' | 'data', value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  try {
    const text = JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? String(each) : each)) as string | undefined;
    if (text === undefined) return {};
    return { [name]: text.length > LONGEST_PART ? { leftOut: `${text.length} characters` } : (JSON.parse(text) as unknown) };
  } catch (error) {
    return { [name]: { leftOut: reasonOf(error) } };
  }
}

function cut(text: string): string {
  return text.length > LONGEST_PART ? `${text.slice(0, LONGEST_PART)}…` : text;
}
