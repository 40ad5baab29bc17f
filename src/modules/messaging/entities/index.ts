import { ChannelParticipantRow } from './channel-participant.entity.js';
import { ChannelRow } from './channel.entity.js';
import { MessageServerAgentRow } from './message-server-agent.entity.js';
import { MessageServerRow } from './message-server.entity.js';
import { MessageRow } from './message.entity.js';

export { ChannelParticipantRow, ChannelRow, MessageServerAgentRow, MessageServerRow };
export const MESSAGING_ENTITIES = [MessageServerRow, MessageServerAgentRow, ChannelRow, ChannelParticipantRow, MessageRow];
