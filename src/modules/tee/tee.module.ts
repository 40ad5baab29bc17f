import { Module } from '@nestjs/common';
import { TeeHardwareModule } from '../../providers/tee/index.js';
import { AgentsModule } from '../agents/index.js';
import { TeeController } from './tee.controller.js';
import { TeeService } from './tee.service.js';

@Module({ imports: [AgentsModule, TeeHardwareModule], controllers: [TeeController], providers: [TeeService] })
export class TeeModule {}
