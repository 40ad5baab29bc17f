// Shared by all adapters of services: requests, deadlines, retries and errors.
export { StatusError, askService } from './ask.js';
export { withRetries } from './retries.js';
export {
  AttemptFailure,
  toAttemptFailure,
  ConnectionLostError,
  IncompleteStreamError,
  InvalidResponseError,
  OtherContentError,
  StreamError,
} from './failure.js';
export { BoundedCache } from './bounded-cache.js';
export { apiKeyOptions, serviceFingerprint, resolveService, type OperatorService, type Service } from './service.js';
export { ModelError } from './model-error.js';
export { serviceError } from './service-error.js';
export { CallDeadline, type CallWatch, type SdkTarget, type SettingNames } from './target.js';
