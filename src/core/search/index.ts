// What people search for, in the words of their languages.
export { foldText } from './folded-text.js';
export { indexedWords } from './indexed-words.js';
export type { IndexedTexts } from './indexed-texts.js';
export { addWordsTo, withoutWords } from './migrations/words-column.js';
export {
  charactersWanted,
  mayBeEnglish,
  phraseWanted,
  termsIn,
  toFts5,
  toTsquery,
  wordsWanted,
  type SearchTerm,
  type Wanted,
} from './search-terms.js';
export { descriptor, SearchModule } from './search.module.js';
