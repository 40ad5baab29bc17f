export { LEVELS } from './log-levels.js';
export { descriptor, LogsModule } from './logs.module.js';
export { ServerLogs, type LogEntry } from './server-logs.service.js';
