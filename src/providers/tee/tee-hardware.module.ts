import { Module } from '@nestjs/common';
import { TrustedMachine } from './trusted-machine.js';

@Module({ providers: [TrustedMachine], exports: [TrustedMachine] })
export class TeeHardwareModule {}
