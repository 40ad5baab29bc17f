import { firstCharacters } from '../../core/text/index.js';

const MAX_LENGTH = 255;

/** Truncates a name to the length of its column. */
export function truncateName(text: string): string {
  return firstCharacters(text, MAX_LENGTH);
}

/** Display name of an entity without a name. */
export function defaultEntityName(entityId: string): string {
  return `User-${entityId.slice(0, 8)}`;
}
