export { descriptor, TeeHardwareModule } from './tee-hardware.module.js';
export { TeeHardware } from './tee-hardware.js';
