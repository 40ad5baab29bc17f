export { SessionsModule } from './sessions.module.js';
export { SessionsService } from './sessions.service.js';
export type { CreateSession, SessionView, TimeoutConfig } from './sessions.types.js';
