import type { JournalChannel } from '../../core/journal/index.js';

/** Kinds of channel that an agent tells apart (contract 5.8). */
export const CHANNEL_TYPES = ['SELF', 'DM', 'GROUP', 'VOICE_DM', 'VOICE_GROUP', 'FEED', 'THREAD', 'WORLD', 'FORUM', 'API'] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

const SPELLINGS = new Map<string, ChannelType>([
  ['text', 'GROUP'],
  ['voice', 'VOICE_GROUP'],
  ['dm', 'DM'],
  ['group', 'GROUP'],
  ['CHANNEL', 'GROUP'],
  ...CHANNEL_TYPES.map((name) => [name, name] as const),
]);

/**
 * The type as the caller wrote it, and the kind that agents go by; undefined for a word that is neither.
 * A channel without a type is a text channel.
 */
export function channelTypeOf(word = 'text'): { type: string; channelType: ChannelType } | undefined {
  for (const type of [word, word.toLowerCase(), word.toUpperCase()]) {
    const channelType = SPELLINGS.get(type);
    if (channelType) return { type, channelType };
  }
  return undefined;
}

export const CHANNEL_TYPE_WORDS = [...SPELLINGS.keys()];

/** What happens to a message that arrives while an answer is being made in its channel. */
export const TURN_POLICIES = ['enqueue', 'reject', 'interrupt'] as const;
export type TurnPolicy = (typeof TURN_POLICIES)[number];

/** A channel with who is in it. Instants are epoch ms. */
export interface Channel extends JournalChannel {
  readonly channelType: ChannelType;
  readonly turnPolicy: TurnPolicy;
  readonly sourceType: string | null;
  readonly sourceId: string | null;
  /** Whether each credential that wrote the list of users vouched for all of them. */
  readonly vouched: boolean;
  readonly participants: readonly { readonly entityId: string; readonly kind: 'user' | 'agent'; readonly joinedAt: number }[];
}

/** The agents that take part in a channel. */
export function agentsIn({ participants }: Channel): string[] {
  return participants.filter(({ kind }) => kind === 'agent').map(({ entityId }) => entityId);
}
