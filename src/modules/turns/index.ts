export { argumentsValidator } from './tools/action-arguments.js';
export { JobRetention } from './jobs/job-retention.js';
export { ProvidersStep } from './prompt/providers.step.js';
export { TurnComponents, type ComponentSet } from './turn-components.js';
export type { TurnReference } from './turns.events.js';
export { DURATION_STEPS_MS, TurnStatistics, type AskedCount, type TurnCount } from './runs/turn-statistics.js';
export { TurnRunner } from './attempt/turn-runner.js';
export { descriptor, TurnsModule } from './turns.module.js';
