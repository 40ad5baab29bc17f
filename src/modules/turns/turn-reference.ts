import type { TurnReference } from './turns.events.js';
import type { Channel } from '../messaging/index.js';

/** The reference to a turn in journal entries. */
export function toTurnReference(
  turn: Pick<TurnReference, 'messageId' | 'agentId' | 'replyId'>,
  channel: Pick<Channel, 'id' | 'serverId'>,
  agent?: { name: string },
): TurnReference {
  const { messageId, agentId, replyId } = turn;
  return { messageId, channelId: channel.id, serverId: channel.serverId, agentId, agentName: agent?.name ?? '', replyId };
}
