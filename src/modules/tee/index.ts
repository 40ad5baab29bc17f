export { descriptor, TeeModule } from './tee.module.js';
