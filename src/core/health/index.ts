export type { HealthCheck } from './health-check.js';
