export { DocsModule, descriptor } from './docs.module.js';
