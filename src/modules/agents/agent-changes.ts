import { isDeepStrictEqual } from 'node:util';
import { isMask, looksSecret, MASK } from '../../core/secrets/index.js';
import { assertCharacterSize, invalidCharacter, parseCharacter, type Character, type CharacterSecrets } from './character.js';
import { redirectedKeys, settingSources } from './service-overrides.js';

type Fields = Readonly<Record<string, unknown>>;

/** The author's part of an agent: its character and secrets. */
export interface AgentDefinition {
  readonly character: Character;
  readonly secrets: CharacterSecrets | null;
}

/**
 * Merges a change into a definition: fields are replaced, null removes a field, and `settings` and `secrets` are merged deeply. A mask
 * in place of a secret keeps the secret.
 *
 * @throws AppError CHARACTER_INVALID whose details list all errors with their paths, also when a service's address changes without its
 *   key
 */
export function applyChange({ character, secrets }: AgentDefinition, change: Fields): AgentDefinition {
  assertCharacterSize(change, 'agent');
  const { settings, ...rest } = character;
  const before: Fields = { ...rest, settings: { ...settings, secrets: secrets?.settings ?? {} }, secrets: secrets?.own ?? {} };
  const after = merge(before, change, (field) => field === 'settings' || field === 'secrets');
  // Removes a section only if it is empty before and after: a section that its author wrote stays.
  if (settings === undefined && isEmpty(after['settings'])) delete after['settings'];
  if (isEmpty(after['secrets'])) delete after['secrets'];
  const next = parseCharacter(after, 'agent');
  const redirected = redirectedKeys(settingSources(settings, secrets), settingSources(next.character.settings, next.secrets), change);
  if (redirected.length > 0) throw invalidCharacter(redirected.map((error) => `agent: ${error}`));
  return {
    character: next.character,
    secrets: next.secrets && isEmpty(next.secrets.own) && isEmpty(next.secrets.settings) ? null : next.secrets,
  };
}

/** Names of the fields that differ; settings and secrets one by one: `bio`, `settings.model`, `secrets.OPENAI_API_KEY`. */
export function changedFields(before: AgentDefinition, after: AgentDefinition): string[] {
  const [one, other] = [namedFields(before), namedFields(after)];
  const names = [...new Set([...one.keys(), ...other.keys()])];
  return names.filter((name) => !isDeepStrictEqual(one.get(name), other.get(name))).sort();
}

function namedFields({ character: { settings, ...rest }, secrets }: AgentDefinition): ReadonlyMap<string, unknown> {
  const named = (prefix: string, fields: Fields = {}): [string, unknown][] =>
    Object.entries(fields).map(([name, value]) => [`${prefix}${name}`, value]);
  return new Map([
    ...named('', rest),
    ...named('settings.', settings),
    ...named('settings.secrets.', secrets?.settings),
    ...named('secrets.', secrets?.own),
  ]);
}

/** Removes the masks of secrets from a character that was copied from a response. */
export function stripMasks(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => !isMask(inner))
      .map(([key, inner]) => [key, stripMasks(inner)]),
  );
}

/** Masks the settings that look like secrets. */
export function maskSettings(settings: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, maskValue(name, value)]));
}

function maskValue(name: string, value: unknown): unknown {
  if (isObject(value)) return maskSettings(value);
  if (Array.isArray(value)) return value.map((each) => maskValue(name, each));
  return (typeof value === 'string' || typeof value === 'number') && looksSecret(name, value) ? MASK : value;
}

function merge(before: Fields, change: Fields, deep: (field: string) => boolean): Record<string, unknown> {
  const result: Record<string, unknown> = { ...before };
  for (const [field, value] of Object.entries(change)) {
    if (value === null) delete result[field];
    else if (isMask(value)) continue;
    else if (deep(field) && isObject(value)) result[field] = merge(isObject(result[field]) ? result[field] : {}, value, () => true);
    else {
      Object.defineProperty(result, field, {
        value: restoreMasked(before[field], value),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }
  return result;
}

/** Replaces masks by the values at the same place before the change. */
function restoreMasked(before: unknown, value: unknown): unknown {
  if (isMask(value)) return before;
  if (Array.isArray(value)) return value.map((each, index) => restoreMasked(Array.isArray(before) ? before[index] : undefined, each));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, restoreMasked(isObject(before) ? before[key] : undefined, inner)]),
  );
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((inner) => isObject(inner) && isEmpty(inner));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
