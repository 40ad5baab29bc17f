// Texts in natural language.
export { characterCount, hasAtMost } from './characters.js';
export { cutText, endOfText, firstCharacters, shortened } from './cut-text.js';
export { jsonLine } from './json-line.js';
export { KnownTexts } from './known-texts.js';
export { sentencesIn } from './sentences.js';
