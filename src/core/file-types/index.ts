export { DOCUMENT_EXTENSIONS, DOCUMENT_TYPES, documentTypeOf } from './document-types.js';
export { binaryType, isText, markupType, type ReadableFile } from './file-types.js';
export { textCharset } from './text-charset.js';
