export { prometheusName } from './exposition.js';
export { isScrape, MetricsEndpoint } from './metrics-endpoint.js';
export { descriptor, MetricsModule } from './metrics.module.js';
