export { anySignal } from './any-signal.js';
