export { grown } from './grown.js';
