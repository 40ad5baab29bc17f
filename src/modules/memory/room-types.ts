/** Kinds of room that an agent tells apart (contract 5.8). */
const ROOM_TYPES = ['SELF', 'DM', 'GROUP', 'VOICE_DM', 'VOICE_GROUP', 'FEED', 'THREAD', 'WORLD', 'FORUM', 'API'] as const;

const SPELLINGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(ROOM_TYPES.map((type) => [type, type])),
  TEXT: 'GROUP',
  VOICE: 'VOICE_GROUP',
  CHANNEL: 'GROUP',
};

export const ROOM_TYPE_WORDS = Object.keys(SPELLINGS);

/** The kind that a word in any case stands for; undefined for a word that is none. */
export function roomTypeOf(word: string): string | undefined {
  const key = word.toUpperCase();
  return Object.hasOwn(SPELLINGS, key) ? SPELLINGS[key] : undefined;
}
