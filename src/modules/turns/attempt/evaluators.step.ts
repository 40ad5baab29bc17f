import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Clock, withTimeout } from '../../../core/clock/index.js';
import { errorMessage } from '../../../core/errors/index.js';
import { UnitOfWork } from '../../../core/database/index.js';
import { Log } from '../../../core/logging/index.js';
import type { Evaluator, Memory, State } from '../../../plugin-sdk/index.js';
import { TurnComponents, type Component } from '../turn-components.js';
import { TurnsRepository } from '../turns.repository.js';
import type { Turn } from '../turns.types.js';

const LIMIT_MS = 60_000;

interface Evaluation {
  readonly evaluator: string;
  readonly success: boolean;
  readonly error?: string;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly durationMs: number;
}

/** Runs the evaluators concurrently after a reply, in the background. Their results are recorded as a step of the turn. */
@Injectable()
export class EvaluatorsStep implements BeforeApplicationShutdown {
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly log = new Log('turns');

  constructor(
    private readonly components: TurnComponents,
    private readonly repository: TurnsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @param reply the agent's reply; undefined when the agent did not reply */
  start(turn: Turn, message: Memory, state: State, reply: Memory | undefined): void {
    const evaluators = this.components
      .evaluatorsOf(turn.agent)
      .filter(({ definition }) => definition.alwaysRun === true || reply !== undefined);
    if (evaluators.length === 0) return;
    const work = this.evaluate(turn, evaluators, message, state, reply).catch((error: unknown) => {
      this.log.warn('recording the results of evaluators failed', { messageId: turn.messageId, error: String(error) });
    });
    this.running.add(work);
    void work.then(() => this.running.delete(work));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort(new Error('the server is stopping'));
    await Promise.all(this.running);
  }

  private async evaluate(
    turn: Turn,
    evaluators: readonly Component<Evaluator>[],
    message: Memory,
    state: State,
    reply: Memory | undefined,
  ): Promise<void> {
    const done = await Promise.all(evaluators.map((each) => this.run(turn, each, message, state, reply)));
    const evaluations = done.filter((each) => each !== undefined);
    if (evaluations.length === 0) return;
    await this.unitOfWork.commit([this.repository.appendStep(turn, 'evaluators', { evaluations }, this.clock.now())]);
  }

  /** @returns undefined when `validate` skipped the evaluator */
  private async run(
    turn: Turn,
    evaluator: Component<Evaluator>,
    message: Memory,
    state: State,
    reply: Memory | undefined,
  ): Promise<Evaluation | undefined> {
    const { definition, set } = evaluator;
    const startedAt = this.clock.now();
    const ended = (): Pick<Evaluation, 'evaluator' | 'startedAt' | 'durationMs'> => ({
      ...{ evaluator: definition.name, startedAt, durationMs: this.clock.now() - startedAt },
    });
    const about = { evaluator: definition.name, messageId: turn.messageId, channelId: turn.channelId };
    const notify = (type: 'EVALUATOR_STARTED' | 'EVALUATOR_COMPLETED', more: object = {}): void =>
      this.components.notify({ type, agentId: turn.agentId, payload: { ...about, ...more } });
    try {
      const evaluate = async (signal: AbortSignal): Promise<Evaluation | undefined> => {
        const runtime = set.runtime(turn.agent, signal);
        if ((await definition.validate?.(runtime, message, state)) === false) return undefined;
        notify('EVALUATOR_STARTED');
        await definition.handler(
          runtime,
          message,
          state,
          { didRespond: reply !== undefined },
          () => Promise.resolve([]),
          reply ? [reply] : [],
        );
        notify('EVALUATOR_COMPLETED', { success: true });
        return { ...ended(), success: true };
      };
      return await withTimeout(this.clock, LIMIT_MS, evaluate, { signal: this.stopping.signal });
    } catch (error) {
      this.components.report('evaluator', evaluator, error);
      notify('EVALUATOR_COMPLETED', { success: false, error: errorMessage(error) });
      return { ...ended(), success: false, error: errorMessage(error) };
    }
  }
}
