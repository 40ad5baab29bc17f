export { AgentsModule } from './agents.module.js';
export { AgentsService, type Agent } from './agents.service.js';
export type { Character } from './character.js';
