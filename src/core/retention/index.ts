export { RetentionModule } from './retention.module.js';
export { Retention, type RetentionSweep } from './retention.js';
