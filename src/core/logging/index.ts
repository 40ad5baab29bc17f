export { onErrorLine, type ErrorLine } from './error-lines.js';
export { configureLogging, Log, NestLog, recentLines } from './log.js';
export type { LogLine } from './recent-lines.js';
export { redactSecrets, redactSecretsOf, secretsIn, redact, redactText } from './redaction.js';
