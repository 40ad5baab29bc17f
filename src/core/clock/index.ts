export { Clock, SystemClock, type Cancel } from './clock.js';
export { Pace } from './pace.js';
export { PeriodicTask } from './periodic-task.js';
export { SilenceLimit } from './silence-limit.js';
export { timeSlices } from './time-slices.js';
export { withTimeout } from './with-timeout.js';
export { yieldToEventLoop } from './yield-to-event-loop.js';
