export { configureLogging, Log, NestLog, recentLines } from './log.js';
export type { LogLine } from './recent-lines.js';
export { keepSecret, keepSecretsIn, redact } from './redaction.js';
