export { binaryType, isText, markupType } from './file-types.js';
export { textCharset } from './text-charset.js';
