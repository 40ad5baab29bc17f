import type { ChatModel, ModelRegistry } from '../../providers/models/index.js';
import type { AgentsService } from '../agents/index.js';

/**
 * The chat model in an agent's settings, at the agent's own service if configured, else the server's default.
 *
 * @throws AppError as `ModelRegistry.chat`
 */
export function chatModelOf(models: ModelRegistry, agents: AgentsService, agentId: string): ChatModel {
  const text = (key: string): string | undefined => {
    const value = agents.setting(agentId, key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return models.chat({ provider: text('modelProvider'), model: text('model'), services: agents.services(agentId) });
}
