import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { UnitOfWork, type Statement } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { append } from '../../core/journal/index.js';
import type { Memory, State } from '../../plugin-sdk/index.js';
import type { ChatMessage, ChatModel, ChatRequest, ChatUsage } from '../../providers/models/index.js';
import { AgentsService } from '../agents/index.js';
import { received, type ToolCall } from './action-arguments.js';
import { resultText, type ActionOutcome } from './action-result.js';
import type { OfferedActions } from './action-tools.js';
import { ActionsStep } from './actions.step.js';
import type { ChunkWriter } from './chunk-writer.js';
import { rounds, type ModelRound } from './recorded-rounds.js';
import type { ModelResult } from './reply.step.js';
import { TurnComponents } from './turn-components.js';
import { referenceOf } from './turn-obligation.js';
import { TurnsRepository } from './turns.repository.js';
import type { Turn } from './turns.types.js';

const MOST_ROUNDS = 6;
// What a model says is nobody's to vouch for: it ends before it fills the memory.
const LONGEST_ANSWER = 1_000_000;
const MOST_CALLS = 100;
const LONGEST_NAME = 255;

/** What the model is asked with. */
export interface Asked {
  readonly turn: Turn;
  readonly owner: string;
  readonly model: ChatModel;
  readonly request: ChatRequest;
  readonly message: Memory;
  readonly state: State;
  readonly actions: OfferedActions;
  readonly chunks: ChunkWriter;
}

/**
 * Asks the model, runs the actions that it calls, and asks again with their results, until it answers. What was called and
 * what came of it is recorded before anything is built on it; a turn that is taken up again goes on behind its last record.
 */
@Injectable()
export class ModelRounds {
  constructor(
    private readonly repository: TurnsRepository,
    private readonly actions: ActionsStep,
    private readonly components: TurnComponents,
    private readonly agents: AgentsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @throws what the model fails with; TurnLost; the reason of the signal */
  async run(asked: Asked, signal: AbortSignal): Promise<ModelResult> {
    const { turn, owner, actions, chunks } = asked;
    const done: ModelRound[] = turn.begun === true ? rounds(await this.repository.steps(turn)) : [];
    let step = done.reduce((sum, { outcomes }) => sum + 1 + outcomes.length, 0);
    const most = this.mostRounds(turn);
    for (;;) {
      for (const round of done) {
        for (const call of round.calls.slice(round.outcomes.length)) {
          const previous = done.flatMap(({ outcomes }) => outcomes);
          const outcome = await this.actions.run(call, actions, { ...asked, step, previous, signal });
          round.outcomes.push(outcome);
          await this.record(turn, owner, step, 'action', { ...outcome }, [
            this.completed(turn, step, outcome),
            ...this.started(asked, step + 1, round.calls[round.outcomes.length]),
          ]);
          step += 1;
        }
      }
      const mayCall = actions.tools.length > 0 && done.length < most;
      const { calls, ...answer } = await this.call(asked, done, mayCall, signal);
      if (calls.length === 0 || !mayCall) {
        const run = done.flatMap(({ outcomes }) => outcomes.filter(({ refused }) => refused === undefined));
        return { ...answer, step, actions: [...new Set(run.map(({ action }) => action))] };
      }
      await this.record(turn, owner, step, 'model', { ...answer, provider: asked.model.provider, model: asked.model.modelId, calls }, [
        ...(await chunks.settle()),
        ...this.started(asked, step + 1, calls[0]),
      ]);
      step += 1;
      done.push({ text: answer.text, calls, outcomes: [] });
      chunks.beginAgain();
    }
  }

  private async call(
    { turn, model, request, actions, chunks }: Asked,
    done: readonly ModelRound[],
    mayCall: boolean,
    signal: AbortSignal,
  ): Promise<Omit<ModelResult, 'step' | 'actions'> & { calls: ToolCall[] }> {
    const startedAt = this.clock.now();
    const calls: ToolCall[] = [];
    let reason = 'stop';
    let usage: ChatUsage = {};
    const whole: ChatRequest =
      actions.tools.length === 0 && done.length === 0
        ? request
        : {
            ...request,
            messages: [...request.messages, ...done.flatMap(asMessages)],
            tools: actions.tools,
            ...(mayCall ? {} : { toolChoice: 'none' }),
          };
    for await (const event of model.stream(whole, { signal })) {
      if (event.type === 'delta') {
        if (chunks.text.length + event.text.length > LONGEST_ANSWER) throw tooMuch(`an answer of more than ${LONGEST_ANSWER} characters`);
        chunks.add(event.text);
      } else if (event.type === 'finish') ({ reason, usage } = event);
      else {
        if (calls.length === MOST_CALLS) throw tooMuch(`more than ${MOST_CALLS} calls of actions at once`);
        calls.push(received(event));
      }
    }
    const durationMs = this.clock.now() - startedAt;
    this.components.tell({ type: 'MODEL_USED', agentId: turn.agentId, payload: usedModel(turn, model, { reason, usage, durationMs }) });
    return { text: chunks.text, reason, usage, durationMs, calls };
  }

  /** Only whoever still holds the turn may record. @param told what clients hear of it */
  private async record(
    turn: Turn,
    owner: string,
    step: number,
    kind: string,
    payload: Record<string, unknown>,
    told: readonly Statement[],
  ): Promise<void> {
    await this.unitOfWork.commit([
      this.repository.hold(turn, owner),
      this.repository.recordStep(turn, step, kind, payload, this.clock.now()),
      ...told,
    ]);
  }

  /** Told with the record before it, so that an action which runs again after a crash begins once for its readers. */
  private started({ turn, actions }: Asked, step: number, call: ToolCall | undefined): Statement[] {
    if (call === undefined) return [];
    const action = nameOf(actions.find(call.name)?.it.name ?? call.name);
    return [append('action.started', turn.channelId, { ...referenceOf(turn, turn.channel, turn.agent), action, step }, this.clock.now())];
  }

  private completed(turn: Turn, step: number, { action, result, durationMs }: ActionOutcome): Statement {
    const reference = referenceOf(turn, turn.channel, turn.agent);
    return append(
      'action.completed',
      turn.channelId,
      { ...reference, action: nameOf(action), step, success: result.success !== false, durationMs },
      this.clock.now(),
    );
  }

  private mostRounds({ agentId }: Turn): number {
    const value = this.agents.setting(agentId, 'maxToolRounds') ?? this.agents.setting(agentId, 'MAX_MULTISTEP_ITERATIONS');
    const rounds = Number(value ?? MOST_ROUNDS);
    return Number.isInteger(rounds) && rounds >= 0 ? rounds : MOST_ROUNDS;
  }
}

/** A model may call by any name, and clients hear it. */
function nameOf(action: string): string {
  return action.slice(0, LONGEST_NAME);
}

function tooMuch(what: string): AppError {
  return new AppError('MODEL_UNAVAILABLE', `The model began ${what}.`, 'Look at how the model is set up, or take another one.');
}

function usedModel(
  { replyId, messageId, channelId }: Turn,
  { provider, modelId }: ChatModel,
  { reason, usage, durationMs }: { reason: string; usage: ChatUsage; durationMs: number },
): Record<string, unknown> {
  return {
    modelType: 'TEXT_LARGE',
    provider,
    model: modelId,
    executionTime: durationMs,
    ...usage,
    reason,
    runId: replyId,
    messageId,
    channelId,
  };
}

function asMessages({ text, calls, outcomes }: ModelRound): ChatMessage[] {
  return [
    { role: 'assistant', content: text, toolCalls: calls },
    ...outcomes.map(({ call, result }: ActionOutcome): ChatMessage => ({
      role: 'tool',
      content: resultText(result),
      toolCallId: call.id,
      toolName: call.name,
    })),
  ];
}
