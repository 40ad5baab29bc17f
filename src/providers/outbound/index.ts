// The only way out of the process for HTTP: to services of the operator, and to addresses that others gave.
export { Outbound, type OutboundLimits, type Resolve } from './outbound.js';
export { OutboundModule } from './outbound.module.js';
export { serviceFetch } from './service-fetch.js';
