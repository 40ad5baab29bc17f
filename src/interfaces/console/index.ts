export { ConsoleModule, descriptor } from './console.module.js';
