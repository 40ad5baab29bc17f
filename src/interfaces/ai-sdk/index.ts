export { descriptor } from './ai-sdk.module.js';
