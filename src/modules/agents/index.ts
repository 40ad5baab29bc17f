export { AgentExistsGuard } from './agent-exists.guard.js';
export { comparableName } from './agent-names.js';
export { AgentLifecycle } from './agent-lifecycle.js';
export { AgentLifecycleHooks, type AgentLifecycleHook } from './agent-lifecycle-hooks.js';
export { AgentsModule, descriptor } from './agents.module.js';
export { AgentsService, type Agent, type AgentChange } from './agents.service.js';
export { parseForeignCharacter } from './character.js';
export { SERVICE_ADDRESS_SETTINGS } from './service-overrides.js';
export type { KnowledgeFile } from './knowledge.js';
