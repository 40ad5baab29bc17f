export { DOCUMENT_TYPES, documentTypeOf } from './document-types.js';
export { binaryType, isText, markupType } from './file-types.js';
export { textCharset } from './text-charset.js';
