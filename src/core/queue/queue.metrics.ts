import { meter } from '../telemetry/index.js';

export const QUEUE_METRICS = {
  jobs: meter.observed({
    name: 'queue.jobs',
    kind: 'gauge',
    about:
      'Unfinished jobs in the database, of all processes: due ones wait to be claimed, also after a crash, delayed ones for a later time, such as the next attempt.',
    labels: { queue: null, state: ['due', 'delayed', 'running'] },
  }),
  oldest: meter.observed({
    name: 'queue.oldest.age',
    kind: 'gauge',
    about: 'Time for which the oldest due job has been waiting to be claimed; 0 when none waits. Of all processes.',
    unit: 'ms',
    labels: { queue: null },
  }),
};
