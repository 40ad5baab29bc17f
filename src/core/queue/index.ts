export type { RetryPolicy } from './after-failure.js';
export { JobEnvironment, JobRunner, toAppError, type FailedEnd, type JobFailure } from './job-runner.js';
export { JobTable } from './job-table.js';
export { LeaseLost } from './lease-lost.js';
export { Queue } from './queue.js';
export type { Lease, QueueOptions } from './queue-options.js';
export { RotatingQueue } from './rotating-queue.js';
export { descriptor, QueueModule } from './queue.module.js';
