export { afterFailure } from './after-failure.js';
export { JobTable } from './job-table.js';
export { LeaseLost } from './lease-lost.js';
export { Queue, type Lease, type QueueOptions } from './queue.js';
