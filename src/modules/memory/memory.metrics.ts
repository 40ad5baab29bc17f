import { DURATION_BOUNDS_MS, meter } from '../../core/telemetry/index.js';

export const MEMORY_METRICS = {
  recall: meter.histogram({
    name: 'recall.duration',
    about: 'Searches of the memories of agents, for turns and for clients.',
    unit: 'ms',
    bounds: DURATION_BOUNDS_MS,
  }),
  searches: meter.counter({
    name: 'recall.searches',
    about: 'The searches by meaning and by words of these, by outcome: completed, or why they were skipped.',
    labels: {
      search: ['meaning', 'words'],
      outcome: [
        'completed',
        'no_question',
        'off',
        'nothing_embedded',
        'nothing_allowed',
        'cold',
        'late',
        'failed',
        'resting',
        'cancelled',
        'language',
      ],
    },
  }),
};
