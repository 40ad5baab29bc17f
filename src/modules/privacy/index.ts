export { descriptor } from './privacy.module.js';
