import { Module } from '@nestjs/common';
import { TeeHardware } from './tee-hardware.js';
import { defineModule } from '../../core/modules/index.js';
import { TEE_HARDWARE_SETTINGS } from './tee-hardware.settings.js';
import { TEE_HARDWARE_ERRORS } from './tee-hardware.error-codes.js';

@Module({ providers: [TeeHardware], exports: [TeeHardware] })
export class TeeHardwareModule {}

export const descriptor = defineModule({
  name: 'tee-hardware',
  about: 'Trusted hardware of the machine.',
  module: TeeHardwareModule,
  settings: TEE_HARDWARE_SETTINGS,
  errors: TEE_HARDWARE_ERRORS,
});
