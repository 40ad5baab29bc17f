export { SessionsModule } from './sessions.module.js';
export { SessionsService, type SessionPosted } from './sessions.service.js';
export type { CreateSession, SessionMessage, SessionState, SessionView, TimeoutConfig } from './sessions.types.js';
