import { Module } from '@nestjs/common';
import { defineModule } from '../../core/modules/index.js';
import { VaultModule } from '../../core/vault/index.js';
import { ModelsModule } from '../../providers/models/index.js';
import { AgentsModule } from '../agents/index.js';
import { KnowledgeModule } from '../knowledge/index.js';
import { MediaModule } from '../media/index.js';
import { MemoryModule } from '../memory/index.js';
import { MessagingModule } from '../messaging/index.js';
import { ProfilesModule } from '../profiles/index.js';
import { UsageModule } from '../usage/index.js';
import { AgentTurnsCleanup } from './attempt/agent-turns-cleanup.js';
import { EvaluatorsStep } from './attempt/evaluators.step.js';
import { LiveTurns } from './attempt/live-turns.js';
import { TextStore } from './attempt/text-store.js';
import { ModelRounds } from './attempt/model-rounds.step.js';
import { TurnDetails } from './attempt/reply-details.js';
import { ReplyStep } from './attempt/reply.step.js';
import { TurnEnqueuer } from './attempt/turn-enqueuer.js';
import { TurnEvidence } from './attempt/turn-evidence.js';
import { TurnExecutor } from './attempt/turn-executor.js';
import { TurnOrder } from './attempt/turn-order.js';
import { TurnRunner } from './attempt/turn-runner.js';
import { TurnUsageRecorder } from './attempt/turn-usage.js';
import { TURN_ENTITIES } from './entities/index.js';
import { JobRetention } from './jobs/job-retention.js';
import { JobsController } from './jobs/jobs.controller.js';
import { JobsRepository } from './jobs/jobs.repository.js';
import { JobsService } from './jobs/jobs.service.js';
import { Turns1795824011000 } from './migrations/1795824011000-turns.js';
import { TurnRequests1796200001000 } from './migrations/1796200001000-turn-requests.js';
import { TurnReleases1796300000000 } from './migrations/1796300000000-turn-releases.js';
import { AttachmentsStep } from './prompt/attachments.step.js';
import { PROMPT_PARTS } from './prompt/parts/index.js';
import { PromptBuilder, PARTS } from './prompt/prompt-builder.js';
import type { PromptPart } from './prompt/prompt-part.js';
import { PromptReadings } from './prompt/prompt-readings.js';
import { ProvidersStep } from './prompt/providers.step.js';
import { RecallScope } from './prompt/recall-scope.js';
import { RecallStep } from './prompt/recall.step.js';
import { CallerTools } from './requests/caller-tools.js';
import { TurnRecords } from './requests/turn-records.js';
import { TurnRequests } from './requests/turn-requests.js';
import { AllRunsController } from './runs/all-runs.controller.js';
import { FailedTurns } from './runs/failed-turns.js';
import { RecallController } from './runs/recall.controller.js';
import { RunContexts } from './runs/run-context.js';
import { RunsController } from './runs/runs.controller.js';
import { RunsRepository } from './runs/runs.repository.js';
import { RunsService } from './runs/runs.service.js';
import { TurnStatistics } from './runs/turn-statistics.js';
import { SummaryRunner } from './summaries/summary-runner.js';
import { SummaryWriter } from './summaries/summary-writer.js';
import { TitlesController } from './titles/titles.controller.js';
import { TitlesService } from './titles/titles.service.js';
import { ActionsController } from './tools/actions.controller.js';
import { ActionsStep } from './tools/actions.step.js';
import { OfferStep } from './tools/offer.step.js';
import { ToolSourcesStep } from './tools/tool-sources.step.js';
import { TurnComponents } from './turn-components.js';
import { TurnsPersonalData } from './turns-personal-data.js';
import { TURNS_ERRORS } from './turns.error-codes.js';
import { TURN_EVENTS } from './turns.events.js';
import { TURN_METRICS } from './turns.metrics.js';
import { TurnsRepository } from './turns.repository.js';
import { TURNS_SETTINGS } from './turns.settings.js';
import { WaitingTurns } from './waiting-turns.js';

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
    TurnRecords,
    TurnRequests,
    CallerTools,
    TurnsPersonalData,
    RunsService,
    RunsRepository,
    RunContexts,
    FailedTurns,
    WaitingTurns,
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
    TextStore,
    TurnDetails,
    SummaryRunner,
    SummaryWriter,
    EvaluatorsStep,
    JobsRepository,
    JobsService,
    JobRetention,
    TitlesService,
  ],
  exports: [CallerTools, TurnRecords, TurnRequests, TurnRunner, TurnComponents, TurnStatistics, ProvidersStep],
})
export class TurnsModule {}

export const descriptor = defineModule({
  name: 'turns',
  about: "Turns: from a message to the agent's reply.",
  module: TurnsModule,
  entities: TURN_ENTITIES,
  migrations: [Turns1795824011000, TurnRequests1796200001000, TurnReleases1796300000000],
  settings: TURNS_SETTINGS,
  errors: TURNS_ERRORS,
  events: TURN_EVENTS,
  metrics: TURN_METRICS,
  hooks: {
    agentLifecycle: [AgentTurnsCleanup],
    messageHooks: [TurnEnqueuer],
    metricSources: [WaitingTurns],
    problemSources: [FailedTurns, WaitingTurns],
    faultEvidence: [TurnEvidence],
    invariants: [TurnOrder],
    retentionSweeps: [JobRetention],
    personalData: [TurnsPersonalData],
    queueOwners: [TurnsRepository],
    replyDetails: [TurnDetails],
  },
});
