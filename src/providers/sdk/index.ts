// Shared by all adapters of the AI SDK: deadlines, retries and errors.
export { withRetries } from './retries.js';
export { toAttemptFailure, IncompleteStreamError, OtherContentError, StreamError } from './failure.js';
export { BoundedCache } from './bounded-cache.js';
export {
  apiKeyOptions,
  serviceFingerprint,
  resolveService,
  type OperatorService,
  type AgentServiceOptions,
  type Service,
} from './service.js';
export { ModelFault } from './model-fault.js';
export { CallDeadline, type CallWatch, type SdkTarget, type SettingNames } from './target.js';
