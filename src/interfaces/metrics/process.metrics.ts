import { DURATION_BOUNDS_MS, meter } from '../../core/telemetry/index.js';

/** Figures of the process. They are read for each scrape. */
export const PROCESS_METRICS = {
  build: meter.observed({
    name: 'build.info',
    kind: 'gauge',
    about: 'Always 1; the labels say which version runs, and on which version of Node.js.',
    labels: { version: null, node: null },
  }),
  startTime: meter.observed({ name: 'process.start_time', kind: 'gauge', about: 'When the process started, Unix time.', unit: 'ms' }),
  cpu: meter.observed({ name: 'process.cpu', kind: 'counter', about: 'Processor time of the process, all threads.', unit: 'ms' }),
  resident: meter.observed({ name: 'process.resident_memory', kind: 'gauge', about: 'Resident memory of the process.', unit: 'bytes' }),
  openFiles: meter.observed({ name: 'process.open_fds', kind: 'gauge', about: 'Open files and connections of the process, on Linux.' }),
  maxFiles: meter.observed({
    name: 'process.max_fds',
    kind: 'gauge',
    about: 'Files and connections that the process may have open (ulimit -n), on Linux.',
  }),
  heapUsed: meter.observed({ name: 'heap.used', kind: 'gauge', about: 'JavaScript heap in use.', unit: 'bytes' }),
  heapSize: meter.observed({ name: 'heap.size', kind: 'gauge', about: 'Size of the JavaScript heap, with its free parts.', unit: 'bytes' }),
  heapLimit: meter.observed({
    name: 'heap.limit',
    kind: 'gauge',
    about: 'Size at which the JavaScript heap is full and the process ends.',
    unit: 'bytes',
  }),
  external: meter.observed({
    name: 'external.memory',
    kind: 'gauge',
    about: 'Memory outside the JavaScript heap that its objects hold, such as buffers.',
    unit: 'bytes',
  }),
  loopDelay: meter.observed({
    name: 'event_loop.delay',
    kind: 'gauge',
    about: 'How late the event loop is, over the last 15 s and the 15 s before, if it is scraped as often: percentiles and the maximum.',
    unit: 'ms',
    labels: { percentile: ['50', '99', 'max'] },
  }),
  loopBusy: meter.observed({
    name: 'event_loop.busy',
    kind: 'counter',
    about: 'Time during which the event loop was busy; its rate is the utilisation, 1 when it never waits.',
    unit: 'ms',
  }),
  collections: meter.histogram({
    name: 'gc.duration',
    about: 'Pauses of garbage collection by kind, while METRICS is on.',
    unit: 'ms',
    bounds: DURATION_BOUNDS_MS,
    labels: { kind: ['minor', 'major', 'incremental', 'weak'] },
  }),
};
