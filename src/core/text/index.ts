// Texts in natural language.
export { cutText, endOfText, shortened } from './cut-text.js';
export { KnownTexts } from './known-texts.js';
export { sentencesIn } from './sentences.js';
