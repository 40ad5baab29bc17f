import type { ErrorDefinitions } from '../../core/errors/index.js';

export const PROTOCOLS_ERRORS = {
  AGENT_STOPPED: {
    kind: 'unavailable',
    meaning: 'The agent that the field model names is not running; POST /api/agents/{agentId}/start starts it.',
  },
} as const satisfies ErrorDefinitions;

type ProtocolsErrors = typeof PROTOCOLS_ERRORS;

declare module '../../core/errors/error-codes.js' {
  interface ErrorCodes extends ProtocolsErrors {}
}
