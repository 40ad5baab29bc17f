import type { ChatModel, ModelRegistry } from '../../providers/models/index.js';
import type { AgentsService } from '../agents/index.js';

/** The model that an agent's settings choose, at its own service if they name one, or the server's. @throws AppError as `ModelRegistry.chat` */
export function modelOf(models: ModelRegistry, agents: AgentsService, agentId: string): ChatModel {
  const text = (key: string): string | undefined => {
    const value = agents.setting(agentId, key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return models.chat({ provider: text('modelProvider'), model: text('model'), services: agents.services(agentId) });
}
