export { descriptor } from './openai.module.js';
