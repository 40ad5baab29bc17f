import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ModelsModule } from '../../providers/models/index.js';
import { AgentsModule } from '../agents/index.js';
import { MemoryModule } from '../memory/index.js';
import { MessagingModule } from '../messaging/index.js';
import { ActionsStep } from './actions.step.js';
import { ContextStep } from './context.step.js';
import { TURN_ENTITIES } from './entities/index.js';
import { EvaluatorsStep } from './evaluators.step.js';
import { ModelRounds } from './model-rounds.step.js';
import { ProvidersStep } from './providers.step.js';
import { ReplyStep } from './reply.step.js';
import { TurnComponents } from './turn-components.js';
import { TurnObligation } from './turn-obligation.js';
import { TurnRunner } from './turn-runner.js';
import { TurnWork } from './turn-work.js';
import { TurnsRepository } from './turns.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature(TURN_ENTITIES), AgentsModule, MessagingModule, MemoryModule, ModelsModule],
  providers: [
    TurnsRepository,
    TurnObligation,
    TurnRunner,
    TurnWork,
    TurnComponents,
    ContextStep,
    ProvidersStep,
    ActionsStep,
    ModelRounds,
    ReplyStep,
    EvaluatorsStep,
  ],
  exports: [TurnRunner, TurnComponents, ProvidersStep],
})
export class TurnsModule {}
