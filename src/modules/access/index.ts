export { AccessModule, descriptor } from './access.module.js';
export { actorOf } from './actor.js';
export { AccessService } from './access.service.js';
export { credentialsOf, tokenIn } from './credentials.js';
export { OpenConnections } from './open-connections.js';
export { RateLimits } from './limits/rate-limits.js';
export { SESSION_CHANNEL, SessionStart } from './session-access.js';
export { SessionTokens } from './session-tokens.js';
