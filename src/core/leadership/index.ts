export { descriptor, LeadershipModule } from './leadership.module.js';
export { Leadership } from './leadership.js';
