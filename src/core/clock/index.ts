export { Clock, SystemClock, type Cancel } from './clock.js';
