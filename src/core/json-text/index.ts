export { decodeText, JsonTextError, parseJsonText } from './json-text.js';
