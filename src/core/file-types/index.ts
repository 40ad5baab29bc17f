export { binaryType, isText, markupType } from './file-types.js';
