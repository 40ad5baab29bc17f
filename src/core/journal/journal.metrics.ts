import { meter } from '../telemetry/index.js';

export const JOURNAL_METRICS = {
  appended: meter.counter({
    name: 'journal.entries',
    about: 'Journal entries that this process appended, by type.',
    labels: { type: null },
  }),
  lagEntries: meter.observed({
    name: 'journal.lag.entries',
    kind: 'gauge',
    about:
      'Newest entries of the journal that this process has not delivered to its clients and modules yet. Entries of others are looked for every second.',
  }),
  lag: meter.observed({
    name: 'journal.lag',
    kind: 'gauge',
    about: 'Age of the oldest entry of the journal that this process has not delivered to its clients and modules yet; 0 without one.',
    unit: 'ms',
  }),
};
