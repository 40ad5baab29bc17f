import { Injectable } from '@nestjs/common';
import { AppError } from '../../../core/errors/index.js';
import { Vault } from '../../../core/vault/index.js';
import { idForAgent } from '../../../core/ids/index.js';
import { AgentsService } from '../../agents/index.js';
import { ConversationMemory } from '../../memory/index.js';
import { MessagesService, type MessageBeginning } from '../../messaging/index.js';
import type { ActionOutcome } from '../tools/action-result.js';
import { LiveTurns } from '../attempt/live-turns.js';
import { RunContexts, type RunContext } from './run-context.js';
import { openReasoning } from '../attempt/reasoning-record.js';
import { stagesOf, type RunStage } from './run-stages.js';
import { evaluationsIn, payloadOf, type ModelStep, type PromptPayload, type PromptStep } from './run-steps.js';
import { RunsRepository, type RunRow, type StepRow } from './runs.repository.js';
import { ModelPrices, type PricedCall } from '../../usage/index.js';
import type { AllRunsQuery, Run, RunCounts, RunEvent, RunPage, RunQuery, RunStatus } from './runs.types.js';

/** Of a message, in a list of runs. */
const SHOWN_CHARACTERS = 300;

/** A run with what is known of it. */
export interface RunDetails {
  readonly run: Run;
  readonly events: readonly RunEvent[];
  readonly stages: readonly RunStage[];
  /** Undefined when nothing was recalled yet. */
  readonly context: RunContext | undefined;
}

/** Runs: turns with their history, read from the recorded steps. */
@Injectable()
export class RunsService {
  constructor(
    private readonly repository: RunsRepository,
    private readonly agents: AgentsService,
    private readonly messages: MessagesService,
    private readonly memory: ConversationMemory,
    private readonly live: LiveTurns,
    private readonly contexts: RunContexts,
    private readonly prices: ModelPrices,
    private readonly vault: Vault,
  ) {}

  /** @throws AppError AGENT_NOT_FOUND */
  async list(agentId: string, query: RunQuery): Promise<RunPage> {
    this.agents.require(agentId);
    const channelId = query.roomId && (await this.channelOf(agentId, query.roomId));
    const [found, total] = await Promise.all([
      this.repository.page(agentId, channelId, query),
      this.repository.count(agentId, channelId, query),
    ]);
    const rows = found.slice(0, query.limit);
    const ids = rows.map(({ messageId: id }) => id);
    const [steps, said] = await Promise.all([this.repository.steps(ids, [agentId], false), this.saidIn(rows)]);
    const last = found.length > query.limit ? rows.at(-1) : undefined;
    return {
      runs: rows.map((row) =>
        this.toRun(
          row,
          steps.filter(({ messageId: id }) => id === row.messageId),
          said,
        ),
      ),
      total,
      ...(last ? { next: { at: last.createdAt, id: last.messageId } } : {}),
    };
  }

  /** The runs of all agents, newest first. */
  async listAll(query: AllRunsQuery): Promise<RunPage> {
    const { rows, next } = await this.repository.pageOfAll(query);
    const ids = rows.map(({ messageId: id }) => id);
    const agentIds = [...new Set(rows.map(({ agentId }) => agentId))];
    const [steps, said] = await Promise.all([this.repository.steps(ids, agentIds, false), this.saidIn(rows)]);
    const own = ({ messageId, agentId }: RunRow): StepRow[] =>
      steps.filter((step) => step.messageId === messageId && step.agentId === agentId);
    const runs = rows.map((row) => this.toRun(row, own(row), said));
    return { runs, ...(next ? { next } : {}) };
  }

  /**
   * A run with its events and stages, in order. A run that this process is making is shown as far as it has come; one of another process
   * as far as its steps are stored.
   *
   * @param roomId the agent's room, or the channel, that the run must belong to
   * @throws AppError AGENT_NOT_FOUND, RUN_NOT_FOUND
   */
  async read(agentId: string, runId: string, roomId?: string): Promise<RunDetails> {
    this.agents.require(agentId);
    const row = await this.repository.find(agentId, runId);
    if (!row || (roomId !== undefined && (await this.channelOf(agentId, roomId)) !== row.channelId)) {
      throw new AppError('RUN_NOT_FOUND', `Agent ${agentId} has no run ${runId}.`, 'A run is deleted with the message that it replies to.');
    }
    const attempt = this.live.find(runId);
    const trace = attempt?.trace.current;
    const [steps, message, said] = await Promise.all([
      this.repository.steps([row.messageId], [agentId], true),
      this.messages.find(row.messageId),
      this.saidIn([row]),
    ]);
    const run = this.toRun(row, steps, said);
    return {
      run,
      events: eventsOf(
        run,
        steps.map((step) => this.withReasoning(step)),
        message?.sourceType ?? null,
      ),
      stages: stagesOf(run, steps, { trace, storedIn: this.live.storedIn(runId) }).map((stage) => this.priced(stage)),
      context: await this.contexts.read(agentId, run, steps, attempt),
    };
  }

  /** The beginnings of the messages and replies of runs. */
  private saidIn(rows: readonly RunRow[]): Promise<ReadonlyMap<string, MessageBeginning>> {
    const ids = rows.flatMap(({ messageId, replyId }) => [messageId, replyId as string]);
    return this.messages.beginnings(ids, SHOWN_CHARACTERS);
  }

  private toRun(row: RunRow, steps: readonly StepRow[], said: ReadonlyMap<string, MessageBeginning>): Run {
    const calls = steps.filter(({ kind }) => kind === 'model').map(callOf);
    return {
      runId: row.replyId as string,
      status: statusOf(row),
      createdAt: row.createdAt,
      startedAt: row.startedAt,
      endedAt: row.finishedAt,
      messageId: row.messageId,
      agentId: row.agentId,
      agentName: this.agents.find(row.agentId)?.name ?? null,
      roomId: idForAgent(row.agentId, row.channelId),
      channelId: row.channelId,
      entityId: said.get(row.messageId)?.authorId ?? null,
      question: said.get(row.messageId)?.text ?? null,
      answer: said.get(row.replyId as string)?.text ?? null,
      attempts: row.attempts,
      error: row.error,
      counts: countsOf(steps),
      inputTokens: total(calls.map(({ inputTokens }) => inputTokens)),
      outputTokens: total(calls.map(({ outputTokens }) => outputTokens)),
      costUsd: this.prices.costOfAll(calls),
    };
  }

  private withReasoning(step: StepRow): StepRow {
    const { reasoning } = payloadOf<ModelStep>(step.payload);
    if (reasoning === undefined) return step;
    return { ...step, payload: { ...step.payload, reasoning: openReasoning(this.vault, reasoning)?.text } };
  }

  private priced(stage: RunStage): RunStage {
    if (stage.kind !== 'model') return stage;
    const { name: model, provider, inputTokens = null, outputTokens = null } = stage;
    return { ...stage, costUsd: this.prices.costOf({ model, provider, inputTokens, outputTokens }) };
  }

  private async channelOf(agentId: string, roomId: string): Promise<string> {
    return (await this.memory.channelOf(agentId, roomId)) ?? roomId;
  }
}

function callOf({ payload }: StepRow): PricedCall {
  const { provider, model, usage } = payloadOf<ModelStep>(payload);
  return { provider, model, inputTokens: usage?.inputTokens ?? null, outputTokens: usage?.outputTokens ?? null };
}

/** Null when no call reported tokens. */
function total(tokens: readonly (number | null)[]): number | null {
  const known = tokens.filter((each) => each !== null);
  return known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0);
}

/** Of a status that only a later version knows, it tells whether the turn has ended. */
function statusOf({ status, error, finishedAt }: RunRow): RunStatus {
  if (finishedAt === null) return 'started';
  if (status !== 'failed' && status !== 'cancelled') return 'completed';
  return error?.['code'] === 'TURN_TIMEOUT' ? 'timeout' : 'error';
}

function countsOf(steps: readonly StepRow[]): RunCounts {
  const counts = { actions: 0, modelCalls: 0, errors: 0, evaluators: 0 };
  for (const { kind, payload } of steps) {
    if (kind === 'model') counts.modelCalls += 1;
    if (kind === 'failure') counts.errors += 1;
    if (kind === 'action') {
      counts.actions += 1;
      counts.errors += payloadOf<ActionOutcome>(payload).result?.success === false ? 1 : 0;
    }
    for (const { success } of kind === 'evaluators' ? evaluationsIn(payload) : []) {
      counts.evaluators += 1;
      counts.errors += success ? 0 : 1;
    }
  }
  return counts;
}

function eventsOf(run: Run, steps: readonly StepRow[], source: string | null): RunEvent[] {
  const { messageId, runId } = run;
  const events: RunEvent[] = [];
  if (run.startedAt !== null) events.push({ type: 'RUN_STARTED', at: run.startedAt, data: { source, messageId } });
  for (const step of steps) events.push(...recallOf(step));
  const after = steps.findIndex(({ kind }) => kind === 'evaluators');
  const [before, behind] = after === -1 ? [steps, []] : [steps.slice(0, after), steps.slice(after)];
  for (const step of before) events.push(...promptOf(step), ...eventsOfStep(step, messageId));
  if (run.endedAt !== null) {
    const durationMs = run.startedAt === null ? null : Math.max(run.endedAt - run.startedAt, 0);
    events.push({
      type: 'RUN_ENDED',
      at: run.endedAt,
      data: { runId, status: run.status, error: run.error?.['message'] ?? null, durationMs },
    });
  }
  // Evaluators run after the end.
  for (const step of behind) events.push(...eventsOfStep(step, messageId));
  return events.sort((a, b) => a.at - b.at);
}

function recallOf({ kind, payload }: StepRow): RunEvent[] {
  if (kind !== 'model' && kind !== 'failure') return [];
  const { recall } = payloadOf<PromptPayload>(payload);
  if (recall === undefined) return [];
  const { at, durationMs: executionTime, ...data } = recall;
  return [{ type: 'MEMORY_RECALLED', at, data: { executionTime, ...data } }];
}

function promptOf({ kind, payload }: StepRow): RunEvent[] {
  if (kind !== 'model' && kind !== 'failure') return [];
  const { prompt } = payloadOf<PromptStep>(payload);
  if (prompt === undefined) return [];
  const { at, ...data } = prompt;
  return [{ type: 'PROMPT_SENT', at, data }];
}

function eventsOfStep({ kind, payload, at }: StepRow, messageId: string): RunEvent[] {
  switch (kind) {
    case 'model': {
      const { provider, model, reason, usage, durationMs, text, reasoning, calls } = payloadOf<ModelStep>(payload);
      const { inputTokens = null, outputTokens = null } = usage ?? {};
      const data = {
        modelType: 'TEXT_LARGE',
        provider,
        model,
        executionTime: durationMs,
        inputTokens,
        outputTokens,
        usage: usage ?? {},
        reason,
        ...(reasoning === undefined ? {} : { reasoning }),
        response: text,
      };
      return [{ type: 'MODEL_USED', at, data: { ...data, ...(calls ? { calls: calls.map(({ name }) => name) } : {}) } }];
    }
    case 'action': {
      const { call, action, result, durationMs = 0 } = payloadOf<ActionOutcome>(payload);
      const about = { actionId: call?.id, actionName: action, messageId };
      return [
        { type: 'ACTION_STARTED', at: at - durationMs, data: about },
        { type: 'ACTION_COMPLETED', at, data: { ...about, success: result?.success, result, params: call?.input, durationMs } },
      ];
    }
    case 'evaluators':
      return evaluationsIn(payload).map(({ evaluator, success, error }) => ({
        type: 'EVALUATOR_COMPLETED',
        at,
        data: { evaluatorName: evaluator, success, ...(error === undefined ? {} : { error }) },
      }));
    default:
      return [];
  }
}
