export { HealthChecks } from './health-checks.js';
export { SystemModule } from './system.module.js';
