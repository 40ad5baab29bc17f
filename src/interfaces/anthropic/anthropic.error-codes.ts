import type { ErrorDefinitions } from '../../core/errors/index.js';

export const ANTHROPIC_ERRORS = {
  // Anthropic's own code, in lower case: its package then sends the whole conversation.
  THREAD_UNSUPPORTED_REQUEST: {
    kind: 'invalid',
    meaning: "The request has Anthropic's field thread; send the whole conversation without it, which this server recognises.",
  },
} as const satisfies ErrorDefinitions;

type AnthropicErrorDefinitions = typeof ANTHROPIC_ERRORS;

declare module '../../core/errors/error-codes.js' {
  interface ErrorCodes extends AnthropicErrorDefinitions {}
}
