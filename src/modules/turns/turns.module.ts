import { Module } from '@nestjs/common';
import { ModelsModule } from '../../providers/models/index.js';
import { VaultModule } from '../../core/vault/index.js';
import { AgentsModule } from '../agents/index.js';
import { KnowledgeModule } from '../knowledge/index.js';
import { MediaModule } from '../media/index.js';
import { MemoryModule } from '../memory/index.js';
import { MessagingModule } from '../messaging/index.js';
import { ProfilesModule } from '../profiles/index.js';
import { UsageModule } from '../usage/index.js';
import { ActionsStep } from './actions.step.js';
import { ActionsController } from './actions.controller.js';
import { AgentTurnsCleanup } from './agent-turns-cleanup.js';
import { AttachmentsStep } from './prompt/attachments.step.js';
import { PromptBuilder, PARTS } from './prompt/prompt-builder.js';
import { PromptReadings } from './prompt/prompt-readings.js';
import { PROMPT_PARTS } from './prompt/parts/index.js';
import type { PromptPart } from './prompt/prompt-part.js';
import { TURN_ENTITIES } from './entities/index.js';
import { EvaluatorsStep } from './evaluators.step.js';
import { FailedTurns } from './failed-turns.js';
import { JobRetention } from './jobs/job-retention.js';
import { JobsController } from './jobs/jobs.controller.js';
import { JobsRepository } from './jobs/jobs.repository.js';
import { JobsService } from './jobs/jobs.service.js';
import { LiveTurns } from './live-turns.js';
import { ModelRounds } from './model-rounds.step.js';
import { OfferStep } from './offer.step.js';
import { ProvidersStep } from './prompt/providers.step.js';
import { ReplyStep } from './reply.step.js';
import { TurnDetails } from './reply-details.js';
import { RecallController } from './recall.controller.js';
import { RecallScope } from './prompt/recall-scope.js';
import { RecallStep } from './prompt/recall.step.js';
import { RunContexts } from './run-context.js';
import { AllRunsController } from './all-runs.controller.js';
import { RunsController } from './runs.controller.js';
import { RunsRepository } from './runs.repository.js';
import { RunsService } from './runs.service.js';
import { SummaryRunner } from './summaries/summary-runner.js';
import { SummaryWriter } from './summaries/summary-writer.js';
import { TitlesController } from './titles/titles.controller.js';
import { TitlesService } from './titles/titles.service.js';
import { ToolSourcesStep } from './tool-sources.step.js';
import { TurnComponents } from './turn-components.js';
import { TurnEnqueuer } from './turn-enqueuer.js';
import { TurnStatistics } from './turn-statistics.js';
import { TurnUsageRecorder } from './turn-usage.js';
import { TurnRunner } from './turn-runner.js';
import { TurnExecutor } from './turn-executor.js';
import { TurnsRepository } from './turns.repository.js';
import { TurnEvidence } from './turn-evidence.js';
import { TurnOrder } from './turn-order.js';
import { TurnsPersonalData } from './turns-personal-data.js';
import { defineModule } from '../../core/modules/index.js';
import { Runs1764300000000 } from './migrations/1764300000000-runs.js';
import { Jobs1764455000000 } from './migrations/1764455000000-jobs.js';
import { TurnsByTrigger1766400001000 } from './migrations/1766400001000-turns-by-trigger.js';
import { RunsOfAllAgents1766500000000 } from './migrations/1766500000000-runs-of-all-agents.js';
import { TurnTraceContext1767000000000 } from './migrations/1767000000000-trace-context.js';
import { TURNS_SETTINGS } from './turns.settings.js';
import { TURNS_ERRORS } from './turns.error-codes.js';
import { TURN_EVENTS } from './turns.events.js';
import { TURN_METRICS } from './turns.metrics.js';

@Module({
  imports: [
    AgentsModule,
    MessagingModule,
    MemoryModule,
    KnowledgeModule,
    MediaModule,
    UsageModule,
    ProfilesModule,
    ModelsModule,
    VaultModule,
  ],
  controllers: [RunsController, AllRunsController, RecallController, ActionsController, JobsController, TitlesController],
  providers: [
    TurnsRepository,
    TurnsPersonalData,
    RunsService,
    RunsRepository,
    RunContexts,
    FailedTurns,
    TurnEvidence,
    TurnOrder,
    TurnStatistics,
    TurnEnqueuer,
    AgentTurnsCleanup,
    TurnRunner,
    TurnExecutor,
    TurnUsageRecorder,
    TurnComponents,
    PromptBuilder,
    PromptReadings,
    ...PROMPT_PARTS,
    { provide: PARTS, useFactory: (...parts: PromptPart[]) => parts, inject: [...PROMPT_PARTS] },
    RecallScope,
    RecallStep,
    AttachmentsStep,
    ProvidersStep,
    ToolSourcesStep,
    OfferStep,
    ActionsStep,
    ModelRounds,
    ReplyStep,
    LiveTurns,
    TurnDetails,
    SummaryRunner,
    SummaryWriter,
    EvaluatorsStep,
    JobsRepository,
    JobsService,
    JobRetention,
    TitlesService,
  ],
  exports: [TurnRunner, TurnComponents, TurnStatistics, ProvidersStep],
})
export class TurnsModule {}

export const descriptor = defineModule({
  name: 'turns',
  about: "Turns: from a message to the agent's answer.",
  module: TurnsModule,
  entities: TURN_ENTITIES,
  migrations: [
    Runs1764300000000,
    Jobs1764455000000,
    TurnsByTrigger1766400001000,
    RunsOfAllAgents1766500000000,
    TurnTraceContext1767000000000,
  ],
  settings: TURNS_SETTINGS,
  errors: TURNS_ERRORS,
  events: TURN_EVENTS,
  metrics: TURN_METRICS,
  hooks: {
    agentLifecycle: [AgentTurnsCleanup],
    messageHooks: [TurnEnqueuer],
    problemSources: [FailedTurns],
    faultEvidence: [TurnEvidence],
    invariants: [TurnOrder],
    retentionSweeps: [JobRetention],
    personalData: [TurnsPersonalData],
    queueOwners: [TurnsRepository],
    replyDetails: [TurnDetails],
  },
});
