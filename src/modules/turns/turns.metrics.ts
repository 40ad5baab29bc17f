import { DURATION_BOUNDS_MS, meter } from '../../core/telemetry/index.js';

export const TURN_METRICS = {
  started: meter.counter({ name: 'turns.started', about: 'Attempts at turns that this process started.' }),
  finished: meter.histogram({
    name: 'turns.finished',
    about: 'Attempts at turns, from the claim to the end. `interrupted`: the turn was cancelled, taken over, or will be retried.',
    unit: 'ms',
    bounds: DURATION_BOUNDS_MS,
    labels: { outcome: ['completed', 'failed', 'interrupted'] },
  }),
  modelCalls: meter.histogram({
    name: 'models.calls',
    about: 'Calls of chat models, from the request to the end of the response. `aborted`: the turn was cancelled or timed out.',
    unit: 'ms',
    bounds: DURATION_BOUNDS_MS,
    labels: { provider: null, outcome: ['completed', 'failed', 'aborted'] },
  }),
  modelTokens: meter.counter({
    name: 'models.tokens',
    about: 'Tokens as reported by the chat model services.',
    unit: 'tokens',
    labels: { provider: null, direction: ['input', 'output'] },
  }),
};
