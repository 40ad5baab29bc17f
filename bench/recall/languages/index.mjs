// The languages of the benches `memory` and `search`, by their codes of ISO 639-1.
import { DE } from './de.mjs';
import { EN } from './en.mjs';
import { JA } from './ja.mjs';
import { KO } from './ko.mjs';
import { RU } from './ru.mjs';
import { TH } from './th.mjs';
import { ZH } from './zh.mjs';

const PACKS = new Map([
  ['en', EN],
  ['de', DE],
  ['ru', RU],
  ['zh', ZH],
  ['ja', JA],
  ['ko', KO],
  ['th', TH],
]);

export const LANGUAGES = [...PACKS.keys()];

/** @returns {import('./pack.mjs').Pack} @throws Error when the benches do not speak a language */
export function packOf(language) {
  const pack = PACKS.get(language);
  if (pack === undefined) throw new Error(`There is no language ${language}; there are ${LANGUAGES.join(', ')}.`);
  return pack;
}
