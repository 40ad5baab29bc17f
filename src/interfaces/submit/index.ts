export { descriptor } from './submit.module.js';
