import { Module } from '@nestjs/common';
import { TeeHardwareModule } from '../../providers/tee/index.js';
import { AgentsModule } from '../agents/index.js';
import { TeeController } from './tee.controller.js';
import { TeeService } from './tee.service.js';
import { defineModule } from '../../core/modules/index.js';

@Module({ imports: [AgentsModule, TeeHardwareModule], controllers: [TeeController], providers: [TeeService] })
export class TeeModule {}

export const descriptor = defineModule({
  name: 'tee',
  about: 'Evidence of trusted hardware.',
  module: TeeModule,
  tags: [{ name: 'tee', about: 'Trusted execution environments.', paths: [/^\/api\/tee\//] }],
});
