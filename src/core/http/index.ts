export { ACCESS, FOR_LIMITED, ForLimited, IN_SESSION, InSession, Public, Scope, SessionStart, type Access } from './access.decorators.js';
export { callerAddress } from './caller-address.js';
export {
  callerOf,
  FromCaller,
  mayReach,
  SCOPES,
  setCaller,
  usersOf,
  VouchedUsers,
  vouchesFor,
  type Caller,
  type ScopeName,
  type Users,
} from './caller.js';
export {
  Accepts,
  ACCEPTS,
  Answers,
  ANSWERS,
  EVENT_STREAM,
  MARKS_OLDER,
  MarksOlder,
  type AcceptedBody,
  type OtherAnswer,
} from './describe.decorators.js';
export { AnswerGiven } from './answer-given.js';
export { DEEPEST, isBinary, isTooDeep, payloadFault } from './depth.js';
export { ApiDialect, type Dialect } from './dialect.js';
export { Bare, envelopeOf, EnvelopeAdapter, EnvelopeGuard, Hybrid } from './envelope.js';
export { sendByteStream } from './byte-stream.js';
export { clientGone } from './client-gone.js';
export { ErrorFilter, toAppError } from './error.filter.js';
export { lastEventId, sendEventStream, type StreamEvent } from './event-stream.js';
export type { HttpRequest, HttpResponse } from './express.js';
export { isMultipart, readMultipart, type MultipartBody } from './multipart.js';
export { cursorOf, cursorText, timeOf, positionOf, type ListPosition } from './list-cursor.js';
export { firstOf, keysetPages, pagedList } from './paged-list.js';
export { PathIdsGuard } from './path-ids.guard.js';
export { Refuses, REFUSES } from './refuses.decorator.js';
export { OwnersModule, ResourceOwners, SESSION_CHANNEL, type Owned } from './resource-owners.js';
export { refuseUnreadable } from './unreadable-request.js';
export { receiveUpload, type Upload } from './upload.js';
export { sendFile } from './send-file.js';
export { foreignPage, guardSite, isFromElsewhere, isOwnHost, isOwnOrigin } from './site.js';
export { UNREAD_BODY, ValidationPipe } from './validation.pipe.js';
export {
  Checked,
  complaintOf,
  Described,
  IfPresent,
  IsCount,
  IsFilledText,
  IsJsonObject,
  IsListOf,
  IsUuidText,
  UuidPipe,
  type CheckContext,
} from './validators.js';
