export { Readiness } from './readiness.js';
export { StopRequests } from './stop-requests.js';
export { descriptor, SystemModule } from './system.module.js';
