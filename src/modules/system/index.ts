export { HealthChecks } from './health-checks.js';
export { StopRequests } from './stop-requests.js';
export { SystemModule } from './system.module.js';
