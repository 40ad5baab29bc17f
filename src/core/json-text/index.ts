export { assertDepth, decodeText, JsonTextError, parseJsonText } from './json-text.js';
