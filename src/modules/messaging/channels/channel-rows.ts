import type { ColumnsOf, Row } from '../../../core/database/index.js';
import type { Channel, JournalChannel } from './channel-types.js';
import type { ChannelParticipantRow, ChannelRow } from '../entities/index.js';
import { toChannelRow } from './channels.repository.js';

/** Converts a row of `ChannelsService.ofServer`, without participants. */
export function channelFromRow(row: Row): Channel {
  return toChannel(toChannelRow(row), []);
}

/** Builds a channel from its row and its participants. */
export function toChannel(row: ColumnsOf<ChannelRow>, participants: readonly ColumnsOf<ChannelParticipantRow>[]): Channel {
  return { ...row, participants: sortParticipants(participants).map(({ entityId, kind, joinedAt }) => ({ entityId, kind, joinedAt })) };
}

/** Sorts participants as the database does; agents reply in this order. */
export function sortParticipants<T extends Pick<ChannelParticipantRow, 'joinedAt' | 'entityId'>>(participants: readonly T[]): T[] {
  return [...participants].sort((a, b) => a.joinedAt - b.joinedAt || (a.entityId < b.entityId ? -1 : 1));
}

/** Ids of the users among the participants. */
export function usersIn(participants: Channel['participants']): string[] {
  return participants.filter(({ kind }) => kind === 'user').map(({ entityId }) => entityId);
}

/** Converts a channel to its journal payload. */
export function toJournalChannel(channel: Channel): JournalChannel {
  const { id, serverId, name, type, channelType, description, metadata, turnPolicy, createdAt, updatedAt, participants } = channel;
  const participantIds = participants.map(({ entityId }) => entityId);
  return { id, serverId, name, type, channelType, description, metadata, turnPolicy, createdAt, updatedAt, participantIds };
}
