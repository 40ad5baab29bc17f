import { similarName } from '../../../core/spelling/index.js';

/**
 * What a component returned that Parley does not read: keys that are probably misspelt, and all keys of a result without a known one. Plugins
 * of elizaOS return further keys beside those.
 */
export function describeUnreadKeys(returned: unknown, known: readonly string[]): string | undefined {
  if (typeof returned !== 'object' || returned === null || Array.isArray(returned)) return undefined;
  const keys = Object.keys(returned);
  const hasKnown = keys.some((key) => known.includes(key));
  const errors = keys.flatMap((key) => {
    if (known.includes(key)) return [];
    const meant = similarName(
      key,
      known.filter((name) => !keys.includes(name)),
    );
    if (meant !== undefined) return [`${key} (did you mean ${meant}?)`];
    return hasKnown ? [] : [key];
  });
  return errors.length === 0 ? undefined : `its result has keys that Parley does not read: ${errors.join(', ')}`;
}
