import { idForAgent } from '../../../core/ids/index.js';
import type { Memory } from '../../../plugin-sdk/index.js';
import type { Turn } from '../turns.types.js';

/** The message of a turn in the form that components receive (contract 5.4, 5.9). */
export function toMemory({ agent, channel, message }: Turn): Memory {
  const attachments: unknown = message.rawMessage?.['attachments'] ?? message.metadata['attachments'];
  return {
    id: message.id,
    entityId: message.authorId,
    agentId: agent.id,
    roomId: idForAgent(agent.id, channel.id),
    worldId: idForAgent(agent.id, channel.serverId),
    channelId: channel.id,
    content: {
      text: message.content,
      source: message.sourceType,
      channelType: channel.channelType,
      ...(message.inReplyTo === null ? {} : { inReplyTo: message.inReplyTo }),
      ...(Array.isArray(attachments) ? { attachments: attachments as Record<string, unknown>[] } : {}),
    },
    vouched: message.vouched && channel.vouched,
    metadata: { ...message.metadata, type: 'message', entityName: message.authorName },
    createdAt: message.createdAt,
  };
}

/** A message of the agent in the channel of a turn. */
export function agentMessage(
  { agent, channel, message }: Turn,
  said: { id: string; content: Memory['content']; createdAt: number },
): Memory {
  return {
    ...said,
    entityId: agent.id,
    agentId: agent.id,
    roomId: idForAgent(agent.id, channel.id),
    channelId: channel.id,
    content: { ...said.content, inReplyTo: message.id },
  };
}
