import { DURATION_BOUNDS_MS, meter } from '../../core/telemetry/index.js';

export const PLUGIN_METRICS = {
  deliveries: meter.counter({
    name: 'webhooks.deliveries',
    exportedAs: 'webhook.deliveries',
    about: 'Attempts at webhook deliveries by outcome: done, failed (to be retried) or dead.',
    labels: { plugin: null, outcome: ['done', 'failed', 'dead'] },
  }),
  routes: meter.histogram({
    name: 'plugin.route.duration',
    about: 'Requests to routes of plugins, until the end of the response. `aborted` got no response.',
    unit: 'ms',
    bounds: DURATION_BOUNDS_MS,
    labels: { plugin: null, route: null, status: ['1xx', '2xx', '3xx', '4xx', '5xx', 'aborted'] },
  }),
};
