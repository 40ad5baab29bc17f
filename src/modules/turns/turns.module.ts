import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ModelsModule } from '../../providers/models/index.js';
import { AgentsModule } from '../agents/index.js';
import { MediaModule } from '../media/index.js';
import { MemoryModule } from '../memory/index.js';
import { MessagingModule } from '../messaging/index.js';
import { ActionsStep } from './actions.step.js';
import { AgentTurns } from './agent-turns.js';
import { AttachmentsStep } from './attachments.step.js';
import { ContextStep } from './context.step.js';
import { TURN_ENTITIES } from './entities/index.js';
import { EvaluatorsStep } from './evaluators.step.js';
import { JobRetention } from './jobs/job-retention.js';
import { JobsController } from './jobs/jobs.controller.js';
import { JobsRepository } from './jobs/jobs.repository.js';
import { JobsService } from './jobs/jobs.service.js';
import { ModelRounds } from './model-rounds.step.js';
import { ProvidersStep } from './providers.step.js';
import { ReplyStep } from './reply.step.js';
import { RecallScope } from './recall-scope.js';
import { RunsController } from './runs.controller.js';
import { RunsRepository } from './runs.repository.js';
import { RunsService } from './runs.service.js';
import { TitlesController } from './titles/titles.controller.js';
import { TitlesService } from './titles/titles.service.js';
import { TurnComponents } from './turn-components.js';
import { TurnObligation } from './turn-obligation.js';
import { TurnRunner } from './turn-runner.js';
import { TurnWork } from './turn-work.js';
import { TurnsRepository } from './turns.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature(TURN_ENTITIES), AgentsModule, MessagingModule, MemoryModule, MediaModule, ModelsModule],
  controllers: [RunsController, JobsController, TitlesController],
  providers: [
    TurnsRepository,
    RunsService,
    RunsRepository,
    TurnObligation,
    AgentTurns,
    TurnRunner,
    TurnWork,
    TurnComponents,
    ContextStep,
    RecallScope,
    AttachmentsStep,
    ProvidersStep,
    ActionsStep,
    ModelRounds,
    ReplyStep,
    EvaluatorsStep,
    JobsRepository,
    JobsService,
    JobRetention,
    TitlesService,
  ],
  exports: [TurnRunner, TurnComponents, ProvidersStep],
})
export class TurnsModule {}
