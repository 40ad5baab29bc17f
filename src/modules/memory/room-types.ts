/** Room types (contract 5.8). */
const ROOM_TYPES = ['SELF', 'DM', 'GROUP', 'VOICE_DM', 'VOICE_GROUP', 'FEED', 'THREAD', 'WORLD', 'FORUM', 'API'] as const;

const ALIASES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(ROOM_TYPES.map((type) => [type, type])),
  TEXT: 'GROUP',
  VOICE: 'VOICE_GROUP',
  CHANNEL: 'GROUP',
};

export const ROOM_TYPE_NAMES = Object.keys(ALIASES);

/** The room type of a name or alias, in any case; undefined for an unknown name. */
export function parseRoomType(word: string): string | undefined {
  const key = word.toUpperCase();
  return Object.hasOwn(ALIASES, key) ? ALIASES[key] : undefined;
}
