export { descriptor } from './server-model.module.js';
