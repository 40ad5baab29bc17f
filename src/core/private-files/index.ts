export { closeToOthers, writePrivately } from './private-files.js';
