import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ModelsModule } from '../../providers/models/index.js';
import { AgentsModule } from '../agents/index.js';
import { MemoryModule } from '../memory/index.js';
import { MessagingModule } from '../messaging/index.js';
import { ContextStep } from './context.step.js';
import { TURN_ENTITIES } from './entities/index.js';
import { ReplyStep } from './reply.step.js';
import { TurnObligation } from './turn-obligation.js';
import { TurnRunner } from './turn-runner.js';
import { TurnWork } from './turn-work.js';
import { TurnsRepository } from './turns.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature(TURN_ENTITIES), AgentsModule, MessagingModule, MemoryModule, ModelsModule],
  providers: [TurnsRepository, TurnObligation, TurnRunner, TurnWork, ContextStep, ReplyStep],
  exports: [TurnRunner],
})
export class TurnsModule {}
