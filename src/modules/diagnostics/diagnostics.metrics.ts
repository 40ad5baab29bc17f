import { meter } from '../../core/telemetry/index.js';

export const DIAGNOSTICS_METRICS = {
  invariantChecks: meter.counter({
    name: 'invariants.checks',
    about: 'Checks of a condition on stored data. `violated`: the data contradicts itself, and a fault was recorded.',
    labels: { invariant: null, outcome: ['held', 'violated'] },
  }),
};
