import { t } from '../i18n.js';

export const CHANNEL_TYPES = ['GROUP', 'DM', 'VOICE_GROUP', 'VOICE_DM', 'FEED', 'THREAD', 'FORUM', 'API'] as const;
/** Those of rooms that no channel has. */
const ROOM_TYPES = ['SELF', 'WORLD'] as const;

/** What a person calls the type of a channel or of a room; apps may have types of their own. */
export function typeName(type: string): string {
  const known = [...CHANNEL_TYPES, ...ROOM_TYPES].find((name) => name === type);
  return known === undefined ? type : t(`channels.types.${known}`);
}
