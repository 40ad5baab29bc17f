export { isMask, looksSecret, MASK, masked } from './mask.js';
