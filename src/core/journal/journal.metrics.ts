import { meter } from '../telemetry/index.js';

export const JOURNAL_METRICS = {
  appended: meter.counter({
    name: 'journal.entries',
    about: 'Journal entries that this process appended, by type.',
    labels: { type: null },
  }),
};
