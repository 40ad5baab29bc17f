// Texts in natural language.
export { cutText, endOfText, shortened } from './cut-text.js';
export { sentencesIn } from './sentences.js';
