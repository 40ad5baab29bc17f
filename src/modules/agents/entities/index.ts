import { AgentRow } from './agent.entity.js';
import { DeletedAgentRow } from './deleted-agent.entity.js';

export { AgentRow };
export const AGENT_ENTITIES = [AgentRow, DeletedAgentRow];
