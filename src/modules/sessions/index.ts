export { setExpiryHeader } from './session-header.js';
export { presentStatus } from './session-messages.dto.js';
export { descriptor, SessionsModule } from './sessions.module.js';
export { SessionsService } from './sessions.service.js';
export type { CreateSession, SessionView, TimeoutConfig } from './sessions.types.js';
