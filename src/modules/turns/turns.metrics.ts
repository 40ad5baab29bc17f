import { DURATION_BOUNDS_MS, meter } from '../../core/telemetry/index.js';

export const TURN_METRICS = {
  started: meter.counter({ name: 'turns.started', about: 'Attempts at turns that this process started.' }),
  finished: meter.histogram({
    name: 'turns.finished',
    exportedAs: 'turn.duration',
    about: 'Attempts at turns, from the claim to the end. `interrupted`: the turn was cancelled, taken over, or will be retried.',
    unit: 'ms',
    bounds: DURATION_BOUNDS_MS,
    labels: { outcome: ['completed', 'suspended', 'failed', 'interrupted'] },
  }),
  modelCalls: meter.histogram({
    name: 'models.calls',
    exportedAs: 'model.call.duration',
    about: 'Calls of chat models, from the request to the end of the response. `aborted`: the turn was cancelled or timed out.',
    unit: 'ms',
    bounds: DURATION_BOUNDS_MS,
    labels: { provider: null, outcome: ['completed', 'failed', 'aborted'] },
  }),
  stages: meter.histogram({
    name: 'turn.stage.duration',
    about:
      'Stages of attempts at turns. `waiting`: from the message to the first attempt. `context` includes `recall`; both run beside `provider`.',
    unit: 'ms',
    bounds: DURATION_BOUNDS_MS,
    labels: { stage: ['waiting', 'context', 'recall', 'provider', 'offer', 'model', 'action', 'storing'] },
  }),
  firstToken: meter.histogram({
    name: 'turn.first_token',
    about: 'From the message to the first token of its reply, which is what users wait for.',
    unit: 'ms',
    bounds: DURATION_BOUNDS_MS,
  }),
  waiting: meter.observed({
    name: 'turns.waiting',
    kind: 'gauge',
    about: 'Conversations whose next turn waits because this process runs as many turns as TURN_CONCURRENCY allows.',
  }),
  oldestWaiting: meter.observed({
    name: 'turns.waiting.age',
    kind: 'gauge',
    about: 'Time for which the oldest of them has waited; 0 when none waits.',
    unit: 'ms',
  }),
  promptTokens: meter.histogram({
    name: 'prompt.part.size',
    about: 'Tokens of each part of a prompt, estimated.',
    unit: 'tokens',
    bounds: [0, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000],
    labels: { part: null },
  }),
  actions: meter.histogram({
    name: 'action.duration',
    about: 'Actions and tools that models called, by the plugin or module that has them. `aborted`: the turn was cancelled or timed out.',
    unit: 'ms',
    bounds: DURATION_BOUNDS_MS,
    labels: { plugin: null, action: null, outcome: ['completed', 'failed', 'aborted'] },
  }),
  modelFirstToken: meter.histogram({
    name: 'model.first_token',
    about: 'From the request to a chat model to the first token or call of its response.',
    unit: 'ms',
    bounds: DURATION_BOUNDS_MS,
    labels: { provider: null },
  }),
};
