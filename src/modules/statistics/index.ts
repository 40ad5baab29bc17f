export { descriptor } from './statistics.module.js';
