export { TeeHardwareModule } from './tee-hardware.module.js';
export { TrustedMachine } from './trusted-machine.js';
