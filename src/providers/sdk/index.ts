// What all adapters over the AI SDK have in common: time limits, further tries, and what a failure means.
export { withAttempts } from './attempts.js';
export { failureOf, StreamCut, StreamFault } from './failure.js';
export { Kept } from './kept.js';
export { keyOrNone, ownServiceId, serviceOf, type OperatorsService, type OwnLimits, type Service } from './service.js';
export { CallLimit, type SdkTarget } from './target.js';
