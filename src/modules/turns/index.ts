export { argumentsOf } from './action-arguments.js';
export { JobRetention } from './jobs/job-retention.js';
export { modelOf } from './model-choice.js';
export { ProvidersStep } from './providers.step.js';
export { TurnComponents, type ComponentSet } from './turn-components.js';
export { TurnRunner } from './turn-runner.js';
export { TurnsModule } from './turns.module.js';
