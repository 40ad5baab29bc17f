export { AgentCompanions, type AgentCompanion } from './agent-companions.js';
export { AgentsModule } from './agents.module.js';
export { AgentsService, type Agent, type AgentChange } from './agents.service.js';
