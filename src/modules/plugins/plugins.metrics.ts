import { meter } from '../../core/telemetry/index.js';

export const PLUGIN_METRICS = {
  deliveries: meter.counter({
    name: 'webhooks.deliveries',
    about: 'Attempts at webhook deliveries by outcome: done, failed (to be retried) or dead.',
    labels: { plugin: null, outcome: ['done', 'failed', 'dead'] },
  }),
};
