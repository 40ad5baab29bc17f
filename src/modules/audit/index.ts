export { descriptor } from './audit.module.js';
