export { descriptor } from './streams.module.js';
