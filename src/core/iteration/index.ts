export { flatten, iterate, takeAll, type Polled } from './polled.js';
