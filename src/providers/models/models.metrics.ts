import { meter } from '../../core/telemetry/index.js';

export const MODELS_METRICS = {
  held: meter.observed({
    name: 'model.calls.held',
    kind: 'gauge',
    about: 'Calls of chat models that wait in this process because their service accepts no more of them (429, or `Retry-After`).',
    labels: { provider: null, model: null },
  }),
  oldest: meter.observed({
    name: 'model.calls.held.age',
    kind: 'gauge',
    about: 'Time for which the oldest of these calls has waited; 0 when none waits.',
    unit: 'ms',
    labels: { provider: null, model: null },
  }),
};
