import { Inject, Injectable } from '@nestjs/common';
import { Clock, SilenceLimit } from '../../../core/clock/index.js';
import { CONFIG, type Config } from '../../../core/config/index.js';
import { isStorageError } from '../../../core/database/index.js';
import { AppError } from '../../../core/errors/index.js';
import { Journal } from '../../../core/journal/index.js';
import { Log } from '../../../core/logging/index.js';
import { LeaseLost, type Lease } from '../../../core/queue/index.js';
import { Tracer, readTraceContext, type Span } from '../../../core/telemetry/index.js';
import {
  contextTokensOf,
  ContextLimits,
  isContextTooLong,
  ModelRegistry,
  smallerShare,
  TokenMeter,
  type ChatModel,
  type ChatRequest,
} from '../../../providers/models/index.js';
import { AgentsService } from '../../agents/index.js';
import { offerTools } from '../tools/offered-tools.js';
import { emptinessOf, emptyReply } from './empty-reply.js';
import { PromptBuilder, type BuiltPrompt } from '../prompt/prompt-builder.js';
import type { PromptTask } from '../prompt/prompt-readings.js';
import { EvaluatorsStep } from './evaluators.step.js';
import { LiveTurns } from './live-turns.js';
import { ModelRounds, type RoundsContext, type Suspension } from './model-rounds.step.js';
import { OfferStep } from '../tools/offer.step.js';
import { CallerTools } from '../requests/caller-tools.js';
import type { TurnRequest } from '../requests/turn-request.js';
import { TurnRequests } from '../requests/turn-requests.js';
import { recordActions } from '../prompt/prompt-record.js';
import { contributingProviders } from '../prompt/providers.step.js';
import { sumUsage, type RecordedStep } from './recorded-rounds.js';
import type { Attempt } from './attempt.js';
import { ReplyText } from './reply-text.js';
import { ReplyStep, type ModelResult } from './reply.step.js';
import { toMemory, agentMessage } from './turn-message.js';
import { asksForReasoning } from './reasoning-record.js';
import { toTurnReference } from '../turn-reference.js';
import { TextStore } from './text-store.js';
import { agentSpan, setTurnUsage } from './turn-spans.js';
import { TurnTrace } from '../turn-trace.js';
import { TURN_METRICS } from '../turns.metrics.js';
import { TurnsRepository } from '../turns.repository.js';
import type { Turn } from '../turns.types.js';

/** How often a prompt that was too long is made shorter. */
const MAX_SHORTER_PROMPTS = 3;

type Outcome = 'completed' | 'suspended' | 'failed';

/** Runs one attempt at a turn: context and providers, model and actions, reply, evaluators; or records a failure. */
@Injectable()
export class TurnExecutor {
  private readonly log = new Log('turns');

  constructor(
    private readonly repository: TurnsRepository,
    private readonly models: ModelRegistry,
    private readonly agents: AgentsService,
    private readonly prompts: PromptBuilder,
    private readonly offer: OfferStep,
    private readonly requests: TurnRequests,
    private readonly callers: CallerTools,
    private readonly rounds: ModelRounds,
    private readonly reply: ReplyStep,
    private readonly evaluators: EvaluatorsStep,
    private readonly live: LiveTurns,
    private readonly meter: TokenMeter,
    private readonly limits: ContextLimits,
    private readonly journal: Journal,
    private readonly texts: TextStore,
    private readonly clock: Clock,
    private readonly tracer: Tracer,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Ends the turn, with a reply or with a recorded failure.
   *
   * @throws LeaseLost when the turn was cancelled or taken over; the signal's reason when the server stops
   */
  run(turn: Turn, lease: Pick<Lease, 'owner' | 'signal' | 'isHeld'>): Promise<void> {
    const work = async (span: Span): Promise<void> => {
      const startedAt = this.clock.now();
      let outcome: Outcome | 'interrupted' = 'interrupted';
      TURN_METRICS.started.add();
      if (turn.attempts === 1) TURN_METRICS.stages.with({ stage: 'waiting' }).observe(Math.max(startedAt - turn.message.createdAt, 0));
      try {
        outcome = await this.runAttempt(turn, lease, span);
      } finally {
        span.set('parley.turn.outcome', outcome);
        TURN_METRICS.finished.with({ outcome }).observe(this.clock.now() - startedAt);
      }
    };
    const { name, attributes } = agentSpan(turn);
    return this.tracer.span(name, attributes, work, { parent: readTraceContext(turn.traceContext) });
  }

  private async runAttempt(
    turn: Turn,
    { owner, signal: stop, isHeld }: Pick<Lease, 'owner' | 'signal' | 'isHeld'>,
    span: Span,
  ): Promise<Outcome> {
    // An attempt that fails before its first model call still ends with the usage of those before it.
    const recorded = turn.resumed === true ? await this.repository.steps(turn) : [];
    const trace = new TurnTrace(this.clock, this.tracer, turn.attempts);
    const limit = new AbortController();
    stop.addEventListener('abort', () => limit.abort(stop.reason), { once: true });
    if (stop.aborted) limit.abort(stop.reason);
    const silence = new SilenceLimit(this.clock, this.config.turnTimeoutMs, () => limit.abort(this.timeout()));
    const attempt: Attempt = { text: '', usage: sumUsage(recorded), progress: () => silence.renew(), trace };
    const endLive = this.live.add(turn.replyId, attempt);
    try {
      if (turn.attempts - turn.releases - resumptions(recorded) > this.config.turnMaxAttempts) {
        throw new AppError(
          'TURN_FAILED',
          'The server stopped too often during this reply.',
          `All ${this.config.turnMaxAttempts} attempts failed; send the message again.`,
        );
      }
      if (turn.agent.status !== 'active') {
        throw new AppError('AGENT_NOT_FOUND', `Agent ${turn.agent.name} is not running.`, 'Start it and send the message again.');
      }
      return await this.generateReply(turn, { owner, signal: limit.signal, isHeld }, attempt, recorded, span);
    } catch (error) {
      if (stop.aborted) throw stop.reason;
      // A turn whose end could not be stored stays pending and is retried.
      if (error instanceof LeaseLost || isStorageError(error)) throw error;
      const failure = this.failure(error, turn);
      span.fail(failure.code);
      await this.tracer.span('turn.failure', {}, () => this.reply.fail(turn, owner, failure, attempt));
      return 'failed';
    } finally {
      setTurnUsage(span, attempt.usage);
      silence.end();
      endLive();
    }
  }

  private async generateReply(
    turn: Turn,
    { owner, signal, isHeld }: Pick<Lease, 'owner' | 'signal' | 'isHeld'>,
    attempt: Attempt,
    recorded: readonly RecordedStep[],
    span: Span,
  ): Promise<Outcome> {
    const model = this.models.chat(this.agents.modelChoice(turn.agentId));
    span.set('gen_ai.provider.name', model.provider);
    span.set('gen_ai.request.model', model.modelId);
    const { trace } = attempt;
    const message = toMemory(turn);
    const request = await this.requests.of(turn.message);
    attempt.forgets = request?.forgets === true;
    const task = { turn, message, model, signal, trace, request, share: this.limits.shareOf(model) };
    const built = await this.prompts.build(task);
    attempt.built = built;
    const { state } = built;
    const asked = await trace.time(trace.begin('offer'), () => this.offer.ask(turn.agent, message, state, signal));
    const actions = offerTools(
      asked.filter(({ refusal }) => !refusal),
      request?.tools,
    );
    const { toolChoice } = request ?? {};
    if (asked.length > 0) attempt.actions = recordActions(asked);
    const said = new ReplyText(
      toTurnReference(turn, turn.channel, turn.agent),
      { attempt: turn.attempts, held: this.repository.hold(turn, owner), isHeld, tellsReasoning: asksForReasoning(turn) },
      this.texts,
      this.journal,
      this.clock,
    );
    try {
      const rounds = { turn, owner, model, request: built.request, message, state, actions, toolChoice, said, attempt, recorded };
      const result = await this.generate(rounds, task, built);
      if ('open' in result) {
        await this.callers.suspend({ turn, owner, ...result }, [...(await said.takePending())]);
        return 'suspended';
      }
      const last = await said.finish();
      const reply = await this.tracer.span('turn.reply', {}, () =>
        this.reply.finish({ turn, owner, model, result, attempt, lastChunk: last, providers: contributingProviders(state) }),
      );
      const response = reply && agentMessage(turn, { id: turn.replyId, content: { ...reply }, createdAt: this.clock.now() });
      this.evaluators.start(turn, message, state, response ?? undefined);
      return 'completed';
    } catch (error) {
      attempt.text = said.text;
      attempt.lastChunk = await said.rest();
      throw error;
    }
  }

  /** An empty end in a direct conversation is tried once more. @throws AppError EMPTY_REPLY */
  private async generate(
    asked: RoundsContext & { attempt: Attempt },
    task: PromptTask,
    built: BuiltPrompt,
  ): Promise<ModelResult | Suspension> {
    const { turn, model } = asked;
    let result = await this.runRounds(asked, task, built);
    if ('open' in result) return result;
    if (emptinessOf(result, turn) === 'nothing' && !mayBeEmpty(task.request, result)) {
      this.log.info('the model gave an empty reply; it is asked again', { ...modelOf(model), messageId: turn.messageId });
      result = await this.runRounds({ ...asked, recorded: await this.repository.steps(turn) }, task, built);
      if ('open' in result) return result;
    }
    const emptiness = mayBeEmpty(task.request, result) ? undefined : emptinessOf(result, turn);
    if (emptiness === 'nothing' || emptiness === 'stopped') throw emptyReply(result, model.modelId);
    return result;
  }

  /** Runs the rounds, and again with smaller budgets while the model says that the prompt is too long. */
  private async runRounds(
    asked: RoundsContext & { attempt: Attempt },
    task: PromptTask,
    first: BuiltPrompt,
  ): Promise<ModelResult | Suspension> {
    const { turn, model, said, attempt } = asked;
    let [built, rounds] = [first, asked];
    for (let repetitions = 0; ; repetitions += 1) {
      const { share } = built.record;
      try {
        const result = await this.rounds.run(rounds, task.signal);
        if (repetitions > 0) this.limits.remember(model, share);
        return result;
      } catch (error) {
        if (!isContextTooLong(error) || said.text !== '' || repetitions === MAX_SHORTER_PROMPTS) throw error;
        const smaller = smallerShare(share, this.tokensOf(built.request, model), contextTokensOf(error));
        const shorter = await this.prompts.build({ ...task, share: smaller, state: built.state });
        if (lengthOf(shorter.request) >= lengthOf(built.request)) throw error;
        this.log.info('the prompt was too long for the model; a shorter one is tried', {
          ...modelOf(model),
          share: smaller,
          messageId: turn.messageId,
        });
        built = shorter;
        Object.assign(attempt, { built, readTokens: undefined });
        rounds = { ...asked, request: shorter.request, recorded: await this.repository.steps(turn) };
      }
    }
  }

  /** Of the prompt, as the model counts them. */
  private tokensOf({ messages }: ChatRequest, model: ChatModel): number {
    const estimated = messages.reduce((sum, { content }) => sum + this.meter.count(content), 0);
    return estimated / this.meter.toEstimated(model, 1);
  }

  private timeout(): AppError {
    const { turnTimeoutMs } = this.config;
    return new AppError('TURN_TIMEOUT', 'The reply took too long.', `Nothing came for ${turnTimeoutMs} ms (TURN_TIMEOUT_MS).`);
  }

  private failure(error: unknown, turn: Turn): AppError {
    if (error instanceof AppError) {
      this.log.warn('a turn failed', { code: error.code, reason: error.message, agentId: turn.agentId, messageId: turn.messageId });
      return error;
    }
    this.log.error('a turn failed unexpectedly', error, { agentId: turn.agentId, messageId: turn.messageId });
    return new AppError('TURN_FAILED', 'The reply failed because of a server error.', 'The log has the cause under the request id.', error);
  }
}

/** Whether the caller asked for an end that may come before the first word. */
function mayBeEmpty(request: TurnRequest | undefined, { reason }: ModelResult): boolean {
  const { stop, maxOutputTokens } = request?.options ?? {};
  return (reason === 'stop' && stop !== undefined) || (reason === 'length' && maxOutputTokens !== undefined);
}

/** How often a turn went on with results of its caller: these are no failed attempts. */
function resumptions(recorded: readonly RecordedStep[]): number {
  return recorded.filter(({ payload }, index) => payload['byCaller'] === true && recorded[index - 1]?.payload['byCaller'] !== true).length;
}

/** Characters. */
function lengthOf({ messages }: ChatRequest): number {
  return messages.reduce((sum, { content }) => sum + content.length, 0);
}

function modelOf({ provider, modelId }: ChatModel): Record<string, string> {
  return { provider, model: modelId };
}
