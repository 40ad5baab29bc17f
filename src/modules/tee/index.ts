export { TeeModule } from './tee.module.js';
