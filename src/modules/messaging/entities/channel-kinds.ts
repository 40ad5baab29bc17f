/** Channel types (contract 5.8). */
export const CHANNEL_TYPES = ['SELF', 'DM', 'GROUP', 'VOICE_DM', 'VOICE_GROUP', 'FEED', 'THREAD', 'WORLD', 'FORUM', 'API'] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

/** How a message is handled that arrives while a turn is in progress in its channel. */
export const TURN_POLICIES = ['enqueue', 'reject', 'interrupt'] as const;
export type TurnPolicy = (typeof TURN_POLICIES)[number];
