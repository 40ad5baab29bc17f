import { ModelError } from '../sdk/index.js';

/** Whether a model call failed because the prompt was longer than the model can read. */
export function isContextTooLong(error: unknown): boolean {
  return error instanceof ModelError && error.reason === 'context';
}

/** The limit of the model's context that a failure names, tokens. */
export function contextTokensOf(error: unknown): number | undefined {
  return error instanceof ModelError ? error.contextTokens : undefined;
}
