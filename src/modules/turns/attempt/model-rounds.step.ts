import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import { CONFIG, type Config } from '../../../core/config/index.js';
import { UnitOfWork, type Statement } from '../../../core/database/index.js';
import { append, entryPosition } from '../../../core/journal/index.js';
import { Tracer, type Span } from '../../../core/telemetry/index.js';
import { Vault } from '../../../core/vault/index.js';
import { cutText } from '../../../core/text/index.js';
import type { Memory, State } from '../../../plugin-sdk/index.js';
import {
  ResponseLimit,
  chatSpan,
  setResponse,
  ContextLimits,
  smallerShare,
  TokenMeter,
  type ChatEvent,
  type ChatFinish,
  type ChatMessage,
  type ChatModel,
  type ChatRequest,
} from '../../../providers/models/index.js';
import { AgentsService } from '../../agents/index.js';
import { MAX_CALLER_ARGUMENTS, toToolCall, type ToolCall } from '../tools/action-arguments.js';
import { resultText, type ActionOutcome } from '../tools/action-result.js';
import type { OfferedActions } from '../tools/offered-tools.js';
import { ActionsStep } from '../tools/actions.step.js';
import type { ReplyText } from './reply-text.js';
import { addUsage, usageOfCall } from '../../usage/index.js';
import { openReasoning, sealReasoning } from './reasoning-record.js';
import { recordPrompt } from '../prompt/recorded-prompt.js';
import { readRounds, type ModelRound, type RecordedStep } from './recorded-rounds.js';
import type { Attempt } from './attempt.js';
import type { ModelResult } from './reply.step.js';
import { TurnComponents } from '../turn-components.js';
import type { TracedStage } from '../turn-trace.js';
import { toTurnReference } from '../turn-reference.js';
import { setChatContent, setToolContent, toolSpan } from './turn-spans.js';
import { TURN_METRICS } from '../turns.metrics.js';
import { TurnsRepository } from '../turns.repository.js';
import type { Turn } from '../turns.types.js';

const MAX_ROUNDS = 6;
// Model output is untrusted: this limit protects the journal and its readers.
const MAX_NAME_LENGTH = 255;
const OF_CONTEXT =
  'Raise the context of the service (for Ollama OLLAMA_CONTEXT_LENGTH, or num_ctx of the model), or lower CONVERSATION_TOKENS, RECALL_TOKENS ' +
  'and DOCUMENT_TOKENS. Until then, prompts are made shorter.';
const NO_FINISH: ChatFinish = { type: 'finish', reason: 'stop', usage: {} };

type CallResult = Omit<ModelResult, 'step' | 'actions'> & { calls: ToolCall[] };

/** The rounds stop until the caller has run its tools. */
export interface Suspension {
  /** Calls that the caller runs, in order. */
  readonly open: readonly ToolCall[];
  /** Step number of the first of them. */
  readonly step: number;
}

/** Everything that the rounds of a turn need. */
export interface RoundsContext {
  readonly turn: Turn;
  readonly owner: string;
  readonly model: ChatModel;
  readonly request: ChatRequest;
  readonly message: Memory;
  readonly state: State;
  readonly actions: OfferedActions;
  readonly toolChoice: ChatRequest['toolChoice'];
  readonly said: ReplyText;
  /** Receives the usage and the reasoning of each call, the prompt while it is not answered, and the stages. */
  readonly attempt: Pick<Attempt, 'usage' | 'reasoning' | 'prompt' | 'readTokens' | 'progress' | 'trace'>;
  /** Steps that earlier attempts recorded. */
  readonly recorded: readonly RecordedStep[];
}

/**
 * Calls the model, runs the actions it calls, and calls it again with their results, until it answers. Calls and results are recorded
 * before the next step, so that a resumed turn continues after its last recorded step.
 */
@Injectable()
export class ModelRounds {
  constructor(
    private readonly repository: TurnsRepository,
    private readonly actions: ActionsStep,
    private readonly components: TurnComponents,
    private readonly agents: AgentsService,
    private readonly meter: TokenMeter,
    private readonly limits: ContextLimits,
    private readonly vault: Vault,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly tracer: Tracer,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws the model's error; LeaseLost; the signal's reason */
  async run(asked: RoundsContext, signal: AbortSignal): Promise<ModelResult | Suspension> {
    const done = readRounds(asked.recorded, (sealed) => openReasoning(this.vault, sealed));
    let step = done.reduce((sum, { outcomes }) => sum + 1 + outcomes.length, 0);
    const most = this.maxRounds(asked.turn);
    for (;;) {
      step = await this.act(asked, done, step, signal);
      const last = done.at(-1);
      const open = last?.calls.slice(last.outcomes.length) ?? [];
      if (open.length > 0) return { open, step };
      const mayCall = asked.actions.tools.length > 0 && ownRounds(asked, done) < most;
      const { calls, ...result } = await this.call(asked, done, mayCall, signal);
      if (calls.length === 0 || !mayCall) {
        const ran = done.flatMap(({ outcomes }) => outcomes.filter(({ refused }) => refused === undefined));
        return { ...result, step, actions: [...new Set(ran.map(({ action }) => action))] };
      }
      const inOrder = ownCallsFirst(asked, calls);
      await this.recordCalls(asked, step, result, inOrder);
      step += 1;
      done.push({ text: result.text, calls: inOrder, outcomes: [], reasoning: result.reasoning });
      asked.said.restart();
    }
  }

  /** Runs the actions whose results are not recorded, up to the first call that the caller runs. @returns the number of the next step */
  private async act(asked: RoundsContext, done: readonly ModelRound[], first: number, signal: AbortSignal): Promise<number> {
    let step = first;
    for (const { calls, outcomes } of done) {
      for (const call of calls.slice(outcomes.length)) {
        if (isOfCaller(asked, call)) break;
        const previous = done.flatMap((round) => round.outcomes);
        const outcome = await this.actOnce(asked, call, { step, previous, signal });
        outcomes.push(outcome);
        await this.record(asked, step, 'action', { ...outcome }, [
          this.completed(asked.turn, step, outcome),
          ...this.started(asked, step + 1, calls[outcomes.length]),
        ]);
        step += 1;
      }
    }
    return step;
  }

  private actOnce(
    asked: RoundsContext,
    call: ToolCall,
    at: { readonly step: number; readonly previous: readonly ActionOutcome[]; readonly signal: AbortSignal },
  ): Promise<ActionOutcome> {
    const { trace } = asked.attempt;
    const name = nameOf(call.name);
    const run = async (span: Span): Promise<ActionOutcome> => {
      const outcome = await this.actions.run(call, asked.actions, { ...asked, ...at });
      if (outcome.result.success === false) span.fail(outcome.refused ?? 'tool_error');
      if (this.tracesContent) setToolContent(span, call, outcome.result);
      return outcome;
    };
    return trace.time(trace.begin('action', name), run, toolSpan(name, call.id));
  }

  /** Records the calls of a round before the first of them runs. */
  private async recordCalls(asked: RoundsContext, step: number, result: Omit<CallResult, 'calls'>, calls: ToolCall[]): Promise<void> {
    const { provider, modelId: model } = asked.model;
    const handed = calls.filter((call) => isOfCaller(asked, call)).length;
    const recorded = {
      ...result,
      reasoning: sealReasoning(this.vault, result.reasoning),
      provider,
      model,
      calls,
      ...(handed > 0 && { handed }),
    };
    await this.record(asked, step, 'model', recorded, [...(await asked.said.takePending()), ...this.started(asked, step + 1, calls[0])]);
  }

  private call(asked: RoundsContext, done: readonly ModelRound[], mayCall: boolean, signal: AbortSignal): Promise<CallResult> {
    const { provider } = asked.model;
    const work = async (span: Span): Promise<CallResult> => {
      const startedAt = this.clock.now();
      let outcome: 'completed' | 'failed' | 'aborted' = 'failed';
      try {
        const result = await this.stream(asked, done, mayCall, signal, span);
        outcome = 'completed';
        return result;
      } finally {
        if (signal.aborted) outcome = 'aborted';
        TURN_METRICS.modelCalls.with({ provider, outcome }).observe(this.clock.now() - startedAt);
      }
    };
    const { name, attributes } = chatSpan(asked.model, asked.request);
    return this.tracer.span(name, attributes, work, { kind: 'client' });
  }

  private async stream(
    asked: RoundsContext,
    done: readonly ModelRound[],
    mayCall: boolean,
    signal: AbortSignal,
    span: Span,
  ): Promise<CallResult> {
    const { turn, model, said, attempt } = asked;
    const stage = attempt.trace.begin('model', model.modelId, model.provider);
    const { startedAt } = stage;
    const request = requestOf(asked, done, mayCall);
    const prompt = this.config.runPrompts ? recordPrompt(model, request, startedAt) : undefined;
    attempt.prompt = prompt;
    const read: ReadResponse = { calls: [], finish: NO_FINISH, thoughts: '' };
    let durationMs = 0;
    try {
      await model.read(request, { signal }, readerOf(asked, stage, read));
      attempt.trace.end(stage);
      setResponse(span, { ...read.finish, firstTokenMs: stage.firstTokenMs });
      if (this.tracesContent) {
        setChatContent(span, recordPrompt(model, request, startedAt), said.text, read.calls, read.finish.reason);
      }
    } catch (error) {
      attempt.trace.end(stage, error);
      throw error;
    } finally {
      durationMs = this.clock.now() - startedAt;
      attempt.reasoning = read.finish.reasoning ?? (read.thoughts === '' ? undefined : { text: read.thoughts });
      attempt.usage = addUsage(attempt.usage, usageOfCall(model, read.finish.usage, durationMs));
    }
    const { reason, usage, refusal } = read.finish;
    this.components.notify({ type: 'MODEL_USED', agentId: turn.agentId, payload: usedModel(turn, model, { reason, usage, durationMs }) });
    attempt.prompt = undefined;
    this.learn(model, request, usage.inputTokens, attempt);
    return { text: said.text, reason, refusal, reasoning: attempt.reasoning, usage, durationMs, calls: read.calls, prompt };
  }

  /** A service that left out a part of the prompt gets shorter ones. */
  private learn(model: ChatModel, request: ChatRequest, read: number | undefined, attempt: RoundsContext['attempt']): void {
    const counted = this.meter.learn(model, request, read);
    if (counted === undefined || read === undefined) return;
    this.limits.remember(model, smallerShare(this.limits.shareOf(model), counted, read));
    attempt.readTokens = read;
    model.note(`${model.provider} (${model.modelId}) read only ${read} of about ${counted} tokens of a prompt.`, OF_CONTEXT);
  }

  /** Records a step, with the stages since the last one, if `owner` still holds the lease. @param told statements that append events for clients */
  private async record(
    { turn, owner, said, attempt: { trace, progress } }: RoundsContext,
    step: number,
    kind: string,
    payload: Record<string, unknown>,
    told: readonly Statement[],
  ): Promise<void> {
    const traced = trace.current;
    const outcomes = await this.unitOfWork.commit([
      this.repository.hold(turn, owner),
      this.repository.recordStep(turn, step, kind, { ...payload, trace: traced }, this.clock.now()),
      ...told,
    ]);
    if (told.length > 0) said.follow(entryPosition(outcomes.at(-1)).offset);
    trace.recorded(traced);
    progress();
  }

  /** Committed with the previous step, so that an action that is retried after a crash starts only once for readers. */
  private started(asked: RoundsContext, step: number, call: ToolCall | undefined): Statement[] {
    if (call === undefined) return [];
    const { turn, actions } = asked;
    const action = nameOf(actions.find(call.name)?.definition.name ?? call.name);
    const byCaller = isOfCaller(asked, call) ? { byCaller: true as const } : {};
    const reference = toTurnReference(turn, turn.channel, turn.agent);
    return [append('action.started', turn.channelId, { ...reference, action, step, ...byCaller }, this.clock.now())];
  }

  private completed(turn: Turn, step: number, { action, result, durationMs }: ActionOutcome): Statement {
    const reference = toTurnReference(turn, turn.channel, turn.agent);
    return append(
      'action.completed',
      turn.channelId,
      { ...reference, action: nameOf(action), step, success: result.success !== false, durationMs },
      this.clock.now(),
    );
  }

  /** Whether traces are on and contain what users and models say. */
  private get tracesContent(): boolean {
    return this.config.tracesContent && this.tracer.enabled;
  }

  private maxRounds({ agentId }: Turn): number {
    const value = this.agents.setting(agentId, 'maxToolRounds') ?? this.agents.setting(agentId, 'MAX_MULTISTEP_ITERATIONS');
    const rounds = Number(value ?? MAX_ROUNDS);
    return Number.isInteger(rounds) && rounds >= 0 ? rounds : MAX_ROUNDS;
  }
}

/** The events of a call as far as they have arrived, also of one that fails. */
interface ReadResponse {
  readonly calls: ToolCall[];
  finish: ChatFinish;
  thoughts: string;
}

/** Takes the events of a call into `read` and the text of the turn. */
function readerOf({ turn, said, attempt, actions }: RoundsContext, stage: TracedStage, read: ReadResponse): (event: ChatEvent) => void {
  const limit = new ResponseLimit();
  return (event) => {
    attempt.progress();
    if (event.type !== 'finish') attempt.trace.heard(stage, event.type === 'delta' ? turn.message.createdAt : undefined);
    limit.count(event);
    if (event.type === 'delta') said.add(event.text);
    else if (event.type === 'finish') read.finish = event;
    else if (event.type === 'reset') said.restart();
    else if (event.type === 'tool-call') read.calls.push(toToolCall(event, actions.findOfCaller(event.name) && MAX_CALLER_ARGUMENTS));
    else {
      read.thoughts += event.text;
      said.think(event.text);
    }
  };
}

/** The request of a round: that of the turn, with what the earlier rounds called. */
function requestOf(asked: RoundsContext, done: readonly ModelRound[], mayCall: boolean): ChatRequest {
  const { request, actions } = asked;
  if (actions.tools.length === 0 && done.length === 0) return request;
  return {
    ...request,
    messages: [...request.messages, ...done.flatMap(toChatMessages)],
    tools: actions.tools,
    toolChoice: mayCall ? choiceOf(asked, done) : 'none',
  };
}

/** A choice that forces a call holds for one call: the first after a request of the caller. */
function choiceOf({ toolChoice }: RoundsContext, done: readonly ModelRound[]): ChatRequest['toolChoice'] {
  const isForced = toolChoice === 'required' || typeof toolChoice === 'object';
  const last = done.at(-1);
  return isForced && last?.outcomes.at(-1)?.byCaller !== true && last !== undefined ? 'auto' : toolChoice;
}

function isOfCaller({ actions }: RoundsContext, { name, dropped }: ToolCall): boolean {
  return dropped === undefined && actions.find(name) === undefined && actions.findOfCaller(name) !== undefined;
}

/** The agent's own calls run before the caller gets the others. */
function ownCallsFirst(asked: RoundsContext, calls: readonly ToolCall[]): ToolCall[] {
  return calls.toSorted((one, other) => Number(isOfCaller(asked, one)) - Number(isOfCaller(asked, other)));
}

/** Rounds in which the agent itself called something: a caller limits its own. */
function ownRounds(asked: RoundsContext, done: readonly ModelRound[]): number {
  return done.filter(({ calls }) => calls.some((call) => !isOfCaller(asked, call))).length;
}

/** Truncates a name from the model, because clients receive it. */
function nameOf(action: string): string {
  return cutText(action, MAX_NAME_LENGTH);
}

function usedModel(
  { replyId, messageId, channelId }: Turn,
  { provider, modelId }: ChatModel,
  { reason, usage, durationMs }: { reason: string; usage: ChatFinish['usage']; durationMs: number },
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

function toChatMessages({ text, calls, outcomes, reasoning }: ModelRound): ChatMessage[] {
  return [
    { role: 'assistant', content: text, toolCalls: calls, ...(reasoning === undefined ? {} : { reasoning }) },
    ...outcomes.map(({ call, result, byCaller }: ActionOutcome): ChatMessage => ({
      role: 'tool',
      content: byCaller ? (result.text ?? '') : resultText(result),
      toolCallId: call.id,
      toolName: call.name,
    })),
  ];
}
