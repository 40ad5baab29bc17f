export type { HealthCheck } from './health-check.js';
export type { Problem, ProblemSource } from './problem-source.js';
