export { CreatedId, JoinsRepetitions } from './idempotency.guard.js';
export { IdempotencyKeyRow } from './idempotency-key.entity.js';
export { descriptor, IdempotencyModule } from './idempotency.module.js';
