export { Clock, SystemClock, type Cancel } from './clock.js';
export { Repetition } from './repetition.js';
export { limited } from './limited.js';
export { nextTurn } from './next-turn.js';
