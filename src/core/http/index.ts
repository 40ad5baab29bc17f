export {
  ACCESS,
  AGENT_FIELD,
  ALLOW_RESTRICTED,
  AllowRestricted,
  ALLOW_BODIES_OF,
  AllowBodiesOf,
  ALLOW_SCOPED_TOKENS,
  AllowScopedTokens,
  Public,
  ALLOW_USER_TOKENS,
  AllowUserTokens,
  ChecksAgentOf,
  Scope,
  type Access,
} from './access.decorators.js';
export { callerAddress } from './caller-address.js';
export {
  callerOf,
  FromCaller,
  canAccessAgent,
  SCOPES,
  setCaller,
  usersOf,
  ActingUser,
  VouchedUsers,
  vouchesFor,
  type Caller,
  type ScopeName,
  type Users,
  type Editor,
} from './caller.js';
export {
  ApiConsumes,
  API_CONSUMES,
  ApiResponses,
  API_RESPONSES,
  EVENT_STREAM,
  NOT_MODIFIED,
  DEPRECATED_PATHS,
  DeprecatedPaths,
  OPERATION_ID,
  OperationId,
  type ConsumedBody,
  type AdditionalResponse,
} from './openapi.decorators.js';
export { ResponseSent } from './response-sent.js';
export { checkedFields, validationErrorsOf } from './compiled-checks.js';
export { endResponse } from './unread-responses.js';
export { MAX_DEPTH, isBinary, isTooDeep, payloadError } from './depth.js';
export { ApiDialect, type Dialect } from './dialect.js';
export { NoEnvelope, envelopeOf, EnvelopeAdapter, EnvelopeGuard, HybridEnvelope } from './envelope.js';
export { sendByteStream } from './byte-stream.js';
export { disconnectSignal } from './disconnect-signal.js';
export { ErrorFormat, errorFormatOf, type DeclaredFormat, type ToErrorBody } from './error-format.js';
export { errorEnvelope, ErrorFilter, toAppError } from './error.filter.js';
export { lastEventId, OPENED, RawData, sendEventStream, type StreamEvent } from './event-stream.js';
export type { HttpRequest, HttpResponse } from './express.js';
export { hearingSignal, setHoldAccess, type HeldAccess } from './held-access.js';
export { MAX_ANONYMOUS_VALUES, MAX_VALUES } from './json-values.js';
export { inTurn } from './in-turn.js';
export { onceForOperation } from './once-for-operation.js';
export { isMultipart } from './multipart.js';
export { formFields, textReader, withoutMark } from './body-text.js';
export { readMultipart, type MultipartBody } from './multipart-memory.js';
export { parseCursor, encodeCursor, parseTime, parsePosition, type ListPosition } from './list-cursor.js';
export { takeFirst, keysetPages, pagedList, type Pages } from './paged-list.js';
export { PathIdsGuard } from './path-ids.guard.js';
export { ReadyJson, readyJson } from './ready-json.js';
export { ApiErrors, ApiErrorsOfHooks, API_ERRORS, API_ERRORS_OF_HOOKS } from './api-errors.decorator.js';
export { OwnershipModule, OwnershipResolver, type Ownership } from './ownership-resolver.js';
export { measureRequests, statusClassOf } from './request-metrics.js';
export { setPluginRoute, traceRequests } from './request-traces.js';
export { spreadRequests } from './spread-requests.js';
export { networkOf } from './network.js';
export { readBytes } from './arriving-body.js';
export { RequestBodies, RequestBodiesModule } from './request-bodies.js';
export { rejectMalformedRequest } from './malformed-request.js';
export { receiveUpload, type Upload } from './upload.js';
export { fileContent, sendContent } from './send-content.js';
export { originNotAllowed, guardOrigin, isCrossSite, isAllowedHost, isAllowedOrigin } from './origin-guard.js';
export { UNSUPPORTED_BODY, ValidationPipe } from './validation.pipe.js';
export {
  Check,
  validationMessage,
  ApiSchema,
  IfPresent,
  IsCount,
  IsFilledText,
  IsJsonObject,
  IsListOf,
  IsUuidText,
  MaxCharacters,
  UuidPipe,
  type CheckContext,
} from './validators.js';
