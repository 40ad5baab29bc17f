export { moveDatabase, type Moved, type MoveStep } from './move.js';
