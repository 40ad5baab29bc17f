import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Clock, limited } from '../../core/clock/index.js';
import { UnitOfWork } from '../../core/database/index.js';
import { Log } from '../../core/logging/index.js';
import type { Evaluator, Memory, State } from '../../plugin-sdk/index.js';
import { reasonOf } from './reason-of.js';
import { TurnComponents, type Component } from './turn-components.js';
import { TurnsRepository } from './turns.repository.js';
import type { Turn } from './turns.types.js';

const LIMIT_MS = 60_000;

interface Evaluation {
  readonly evaluator: string;
  readonly success: boolean;
  readonly error?: string;
}

/** Runs evaluators behind a reply, all at the same time. Nobody waits for them; what they did is recorded as a step of the turn. */
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

  /** @param reply what the agent said; undefined when it stayed silent */
  start(turn: Turn, message: Memory, state: State, reply: Memory | undefined): void {
    const evaluators = this.components.evaluatorsOf(turn.agent).filter(({ it }) => it.alwaysRun === true || reply !== undefined);
    if (evaluators.length === 0) return;
    const work = this.evaluate(turn, evaluators, message, state, reply).catch((error: unknown) => {
      this.log.warn('what evaluators did could not be recorded', { messageId: turn.messageId, error: String(error) });
    });
    this.running.add(work);
    void work.then(() => this.running.delete(work));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort(new Error('the server stops'));
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

  /** @returns undefined when it did not want to run */
  private async run(
    turn: Turn,
    evaluator: Component<Evaluator>,
    message: Memory,
    state: State,
    reply: Memory | undefined,
  ): Promise<Evaluation | undefined> {
    const { it, set } = evaluator;
    const about = { evaluator: it.name, messageId: turn.messageId, channelId: turn.channelId };
    const tell = (type: 'EVALUATOR_STARTED' | 'EVALUATOR_COMPLETED', more: object = {}): void =>
      this.components.tell({ type, agentId: turn.agentId, payload: { ...about, ...more } });
    try {
      return await limited(this.clock, LIMIT_MS, this.stopping.signal, async (signal) => {
        const runtime = set.runtime(turn.agent, signal);
        if ((await it.validate?.(runtime, message, state)) === false) return undefined;
        tell('EVALUATOR_STARTED');
        await it.handler(runtime, message, state, { didRespond: reply !== undefined }, () => Promise.resolve([]), reply ? [reply] : []);
        tell('EVALUATOR_COMPLETED', { success: true });
        return { evaluator: it.name, success: true };
      });
    } catch (error) {
      this.components.report('evaluator', evaluator, error);
      tell('EVALUATOR_COMPLETED', { success: false, error: reasonOf(error) });
      return { evaluator: it.name, success: false, error: reasonOf(error) };
    }
  }
}
