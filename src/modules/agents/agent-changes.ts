import { isMask, looksSecret, MASK } from '../../core/secrets/index.js';
import { invalidCharacter, readCharacter, type Character, type CharacterSecrets } from './character.js';
import { movedKeys, settingPlaces } from './own-services.js';

type Fields = Readonly<Record<string, unknown>>;

/** What of an agent is its author's. */
export interface Definition {
  readonly character: Character;
  readonly secrets: CharacterSecrets | null;
}

/**
 * A definition with a change laid over it: fields replace, null takes a field away, and `settings` and `secrets` are merged, key by
 * key and at every depth. A mask in the place of a secret leaves that secret as it is.
 *
 * @throws AppError CHARACTER_INVALID whose details name every fault with its path, also for a new address of a service whose key is not
 *   given again
 */
export function changed({ character, secrets }: Definition, change: Fields): Definition {
  const { settings, ...rest } = character;
  const before: Fields = { ...rest, settings: { ...settings, secrets: secrets?.settings ?? {} }, secrets: secrets?.own ?? {} };
  const after = merged(before, change, (field) => field === 'settings' || field === 'secrets');
  // Only what is empty on both sides is left out: a section that its author wrote stays.
  if (settings === undefined && isEmpty(after['settings'])) delete after['settings'];
  if (isEmpty(after['secrets'])) delete after['secrets'];
  const next = readCharacter(after, 'agent');
  const moved = movedKeys(settingPlaces(settings, secrets), settingPlaces(next.character.settings, next.secrets), change);
  if (moved.length > 0) throw invalidCharacter(moved.map((fault) => `agent: ${fault}`));
  return {
    character: next.character,
    secrets: next.secrets && isEmpty(next.secrets.own) && isEmpty(next.secrets.settings) ? null : next.secrets,
  };
}

/** What a caller gave as a character, without the masks that stood for secrets where it was copied from. */
export function withoutMasks(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => !isMask(inner))
      .map(([key, inner]) => [key, withoutMasks(inner)]),
  );
}

/** Settings as they may be shown: a value whose name says that it is a secret is masked. */
export function shownSettings(settings: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, shownValue(name, value)]));
}

function shownValue(name: string, value: unknown): unknown {
  if (isObject(value)) return shownSettings(value);
  if (Array.isArray(value)) return value.map((each) => shownValue(name, each));
  return (typeof value === 'string' || typeof value === 'number') && looksSecret(name, value) ? MASK : value;
}

function merged(before: Fields, change: Fields, deep: (field: string) => boolean): Record<string, unknown> {
  const result: Record<string, unknown> = { ...before };
  for (const [field, value] of Object.entries(change)) {
    if (value === null) delete result[field];
    else if (isMask(value)) continue;
    else if (deep(field) && isObject(value)) result[field] = merged(isObject(result[field]) ? result[field] : {}, value, () => true);
    else {
      Object.defineProperty(result, field, { value: unmasked(before[field], value), enumerable: true, configurable: true, writable: true });
    }
  }
  return result;
}

/** A list, with what its masks stood for in the list before. */
function unmasked(before: unknown, value: unknown): unknown {
  if (isMask(value)) return before;
  if (Array.isArray(value)) return value.map((each, index) => unmasked(Array.isArray(before) ? before[index] : undefined, each));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, unmasked(isObject(before) ? before[key] : undefined, inner)]),
  );
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((inner) => isObject(inner) && isEmpty(inner));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
