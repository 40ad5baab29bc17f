export { argumentsValidator } from './action-arguments.js';
export { JobRetention } from './jobs/job-retention.js';
export { ProvidersStep } from './prompt/providers.step.js';
export { toTool, type Tool, type ToolContext, type ToolSource } from './tools.js';
export { TurnComponents, type ComponentSet } from './turn-components.js';
export type { TurnReference } from './turns.events.js';
export { DURATION_STEPS_MS, TurnStatistics, type AskedCount, type TurnCount } from './turn-statistics.js';
export { TurnRunner } from './turn-runner.js';
export { descriptor, TurnsModule } from './turns.module.js';
