export { descriptor } from './anthropic.module.js';
