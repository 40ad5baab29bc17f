export * from './errors.js';
export { toMessage, type Attachment, type ChannelEvent, type ChannelMessage, type Failure, type Gap } from './events.js';
export type { Credential, HttpOptions, RequestOptions } from './http.js';
export { isUuid, randomId, userId } from './ids.js';
export { Parley, type CallOptions, type OperationName, type StreamOptions, type StreamState } from './parley.js';
export type { ServerSentEvent } from './sse.js';
export type * from './wire.js';
