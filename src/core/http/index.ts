export { ACCESS, Public, SessionStart, type Access } from './access.decorators.js';
export { Bare, EnvelopeAdapter, EnvelopeGuard, Hybrid } from './envelope.js';
export { ErrorFilter, toAppError } from './error.filter.js';
export { lastEventId, sendEventStream, type StreamEvent } from './event-stream.js';
export type { HttpRequest, HttpResponse } from './express.js';
export { PathIdsGuard } from './path-ids.guard.js';
export { refuseUnreadable } from './unreadable-request.js';
export { UNREAD_BODY, ValidationPipe } from './validation.pipe.js';
export { IfPresent, IsFilledText, IsJsonObject, IsUuidText, UuidPipe } from './validators.js';
