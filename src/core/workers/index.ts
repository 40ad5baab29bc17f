export { WorkerError, WorkerPool, type WorkerPoolOptions, type WorkerSession } from './worker-pool.js';
