import { editDistance } from '../spelling/index.js';

/** A variable that Parley does not read, and the setting that was probably meant. */
export interface Mistyped {
  readonly name: string;
  readonly suggestion: string;
}

const MIN_LENGTH = 7;
const LONG_NAME = 9;
// Variables of other programs whose names differ from a setting by one letter.
const FOREIGN_NAMES = new Set(['APP_KEY', 'OLLAMA_MODELS', 'LOG_LEVELS']);

/**
 * Names that resemble a setting: one letter missing, doubled, wrong or swapped with its neighbour (two edits in longer names), or lower
 * case. A name whose setting is also set is assumed to belong to another program.
 *
 * @param names all variables that are set; values are not read
 * @param known names that are read
 * @param given settings that are set
 */
export function findMistyped(names: readonly string[], known: ReadonlySet<string>, given: ReadonlySet<string>): Mistyped[] {
  const targets = [...known].filter((target) => target.length >= MIN_LENGTH && !given.has(target));
  return names.flatMap((name) => {
    if (known.has(name) || FOREIGN_NAMES.has(name)) return [];
    const written = name.toUpperCase().replaceAll('-', '_');
    const found = targets
      .filter((target) => Math.abs(target.length - written.length) <= 2)
      .map((suggestion) => ({ name, suggestion, far: editDistance(written, suggestion) }))
      .filter(({ suggestion, far }) => far <= (suggestion.length < LONG_NAME ? 1 : 2))
      .sort((one, other) => one.far - other.far)[0];
    return found === undefined ? [] : [{ name, suggestion: found.suggestion }];
  });
}
