export { descriptor } from './external.module.js';
