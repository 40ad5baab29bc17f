import type { ColumnsOf } from '../../../core/database/index.js';
import { CHANNEL_TYPES, type ChannelType } from '../entities/channel-kinds.js';
import type { ChannelParticipantRow, ChannelRow } from '../entities/index.js';

export { TURN_POLICIES, type ChannelType, type TurnPolicy } from '../entities/channel-kinds.js';

const ALIASES = new Map<string, ChannelType>([
  ['text', 'GROUP'],
  ['voice', 'VOICE_GROUP'],
  ['dm', 'DM'],
  ['group', 'GROUP'],
  ['CHANNEL', 'GROUP'],
  ...CHANNEL_TYPES.map((name) => [name, name] as const),
]);

/**
 * The type as the caller wrote it, and the channel type that agents use; undefined for an unknown name. A channel without a type is a
 * text channel.
 */
export function parseChannelType(word = 'text'): { type: string; channelType: ChannelType } | undefined {
  for (const type of [word, word.toLowerCase(), word.toUpperCase()]) {
    const channelType = ALIASES.get(type);
    if (channelType) return { type, channelType };
  }
  return undefined;
}

export const CHANNEL_TYPE_NAMES = [...ALIASES.keys()];

/** A channel with its participants. Instants are epoch ms. */
export interface Channel extends ColumnsOf<ChannelRow> {
  readonly participants: readonly Omit<ColumnsOf<ChannelParticipantRow>, 'channelId'>[];
}

/** A channel as stored in the journal. */
export interface JournalChannel extends Omit<ColumnsOf<ChannelRow>, 'sourceType' | 'sourceId' | 'vouched'> {
  readonly participantIds: string[];
}

/** The agents that take part in a channel. */
export function agentsIn({ participants }: Channel): string[] {
  return participants.filter(({ kind }) => kind === 'agent').map(({ entityId }) => entityId);
}
