export { AgentsModule } from './agents.module.js';
export { AgentsService, type Agent } from './agents.service.js';
