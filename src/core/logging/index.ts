export { configureLogging, Log, NestLog } from './log.js';
