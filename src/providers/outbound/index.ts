// All outbound HTTP requests: to the operator's services, and to addresses from agents and requests.
export { Outbound, type OutboundLimits, type Resolve } from './outbound.js';
export { descriptor, OutboundModule } from './outbound.module.js';
export { serviceFetch } from './service-fetch.js';
