export { afterFailure } from './after-failure.js';
export { JobTable } from './job-table.js';
export { LeaseLost } from './lease-lost.js';
export { Queue } from './queue.js';
export type { Lease, QueueOptions } from './queue-options.js';
export { descriptor, QueueModule } from './queue.module.js';
