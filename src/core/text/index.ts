// Texts in natural language.
export { sentencesIn } from './sentences.js';
