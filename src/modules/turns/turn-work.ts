import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { isStorageFault, UnitOfWork } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { Journal, type JournalEntry } from '../../core/journal/index.js';
import { Log } from '../../core/logging/index.js';
import { ModelRegistry } from '../../providers/models/index.js';
import { AgentsService } from '../agents/index.js';
import { ActionsStep } from './actions.step.js';
import { ChunkWriter } from './chunk-writer.js';
import { ContextStep } from './context.step.js';
import { EvaluatorsStep } from './evaluators.step.js';
import { modelOf } from './model-choice.js';
import { ModelRounds } from './model-rounds.step.js';
import { providersIn, ProvidersStep, withState } from './providers.step.js';
import { ReplyStep, type Attempt } from './reply.step.js';
import { messageOf, saidBy } from './turn-message.js';
import { referenceOf } from './turn-obligation.js';
import { TurnLost } from './turns.repository.js';
import type { Turn } from './turns.types.js';

/** One attempt at a turn: context and providers, model and actions, reply, evaluators; or a recorded failure. */
@Injectable()
export class TurnWork {
  private readonly log = new Log('turns');

  constructor(
    private readonly models: ModelRegistry,
    private readonly agents: AgentsService,
    private readonly context: ContextStep,
    private readonly providers: ProvidersStep,
    private readonly actions: ActionsStep,
    private readonly rounds: ModelRounds,
    private readonly reply: ReplyStep,
    private readonly evaluators: EvaluatorsStep,
    private readonly journal: Journal,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Ends the turn, with a reply or with a recorded failure.
   *
   * @throws TurnLost when it was cancelled or taken away; the signal's reason when the server stops
   */
  async perform(turn: Turn, owner: string, stop: AbortSignal): Promise<void> {
    const attempt: Attempt = { text: '', unrecorded: [] };
    const limit = new AbortController();
    const cancelLimit = this.clock.after(this.config.turnTimeoutMs, () => limit.abort(this.timeout()));
    try {
      if (turn.attempts > this.config.turnMaxAttempts) {
        throw new AppError(
          'TURN_FAILED',
          'The server stopped in the middle of this answer too often.',
          `It was begun ${this.config.turnMaxAttempts} times; send the message again.`,
        );
      }
      if (turn.agent.status !== 'active') {
        throw new AppError('AGENT_NOT_FOUND', `Agent ${turn.agent.name} is not running.`, 'Start it and send the message again.');
      }
      await this.attempt(turn, owner, AbortSignal.any([stop, limit.signal]), attempt);
    } catch (error) {
      if (stop.aborted) throw stop.reason;
      // What could not be stored is still owed: it is tried again, not given up.
      if (error instanceof TurnLost || isStorageFault(error)) throw error;
      await this.reply.fail(turn, owner, this.failure(error, turn), attempt);
    } finally {
      cancelLimit();
    }
  }

  private async attempt(turn: Turn, owner: string, signal: AbortSignal, attempt: Attempt): Promise<void> {
    const model = modelOf(this.models, this.agents, turn.agentId);
    const message = messageOf(turn);
    const [{ request, unrecorded, recall }, state] = await Promise.all([
      this.context.prepare(turn, model, signal),
      this.providers.compose(turn.agent, message, signal),
    ]);
    Object.assign(attempt, { unrecorded, recall });
    const actions = await this.actions.offer(turn, message, state, signal);
    const chunks = new ChunkWriter(
      referenceOf(turn, turn.channel, turn.agent),
      await this.earlierChunks(turn),
      this.unitOfWork,
      this.clock,
    );
    try {
      const asked = { turn, owner, model, request: withState(request, state), message, state, actions, chunks };
      const result = await this.rounds.run(asked, signal);
      const reply = await this.reply.finish(turn, owner, model, result, { unrecorded, recall }, await chunks.finish(), providersIn(state));
      const said = reply && saidBy(turn, { id: turn.replyId, content: { ...reply }, createdAt: this.clock.now() });
      this.evaluators.start(turn, message, state, said ?? undefined);
    } finally {
      attempt.text = chunks.text;
      await chunks.stop();
    }
  }

  private timeout(): AppError {
    const { turnTimeoutMs } = this.config;
    return new AppError('TURN_TIMEOUT', 'The answer took too long.', `The limit is ${turnTimeoutMs} ms (TURN_TIMEOUT_MS).`);
  }

  /** What earlier attempts had streamed; only a turn that is taken up again has any. */
  private async earlierChunks(turn: Turn): Promise<JournalEntry[]> {
    if (turn.begun !== true) return [];
    const chunks: JournalEntry[] = [];
    for await (const entry of this.journal.missed(turn.channelId, turn.message.offset, this.journal.tail)) {
      if (entry.type === 'message.chunk' && entry.payload.replyId === turn.replyId) chunks.push(entry);
    }
    return chunks;
  }

  private failure(error: unknown, turn: Turn): AppError {
    if (error instanceof AppError) {
      this.log.warn('a turn failed', { code: error.code, reason: error.message, agentId: turn.agentId, messageId: turn.messageId });
      return error;
    }
    this.log.error('a turn failed because of a fault', error, { agentId: turn.agentId, messageId: turn.messageId });
    return new AppError(
      'TURN_FAILED',
      'The answer could not be made because of a fault in the server.',
      'The log holds the cause under the request id.',
      error,
    );
  }
}
