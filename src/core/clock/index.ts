export { Clock, SystemClock, type Cancel } from './clock.js';
export { limited } from './limited.js';
