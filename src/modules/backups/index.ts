export { descriptor } from './backups.module.js';
