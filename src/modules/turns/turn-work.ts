import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { UnitOfWork } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { Journal, type JournalEntry } from '../../core/journal/index.js';
import { Log } from '../../core/logging/index.js';
import { ModelRegistry, type ChatModel, type ChatRequest, type ChatUsage } from '../../providers/models/index.js';
import { AgentsService } from '../agents/index.js';
import type { Message } from '../messaging/index.js';
import { ChunkWriter } from './chunk-writer.js';
import { ContextStep } from './context.step.js';
import { ReplyStep, type ModelResult } from './reply.step.js';
import { referenceOf } from './turn-obligation.js';
import { TurnLost } from './turns.repository.js';
import type { Turn } from './turns.types.js';

/** One attempt at a turn: context, model, reply; or a recorded failure. */
@Injectable()
export class TurnWork {
  private readonly log = new Log('turns');

  constructor(
    private readonly models: ModelRegistry,
    private readonly agents: AgentsService,
    private readonly context: ContextStep,
    private readonly reply: ReplyStep,
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
    const attempt = { text: '', unrecorded: [] as readonly Message[] };
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
      await this.attempt(turn, owner, stop, attempt);
    } catch (error) {
      if (stop.aborted) throw stop.reason;
      if (error instanceof TurnLost) throw error;
      await this.reply.fail(turn, owner, this.failure(error, turn), attempt.text, attempt.unrecorded);
    }
  }

  private async attempt(
    turn: Turn,
    owner: string,
    stop: AbortSignal,
    attempt: { text: string; unrecorded: readonly Message[] },
  ): Promise<void> {
    const model = this.modelOf(turn);
    const { request, unrecorded } = await this.context.prepare(turn, model);
    attempt.unrecorded = unrecorded;
    const chunks = new ChunkWriter(
      referenceOf(turn, turn.channel, turn.agent),
      await this.earlierChunks(turn),
      this.unitOfWork,
      this.clock,
    );
    try {
      const result = await this.call(model, request, stop, chunks);
      await this.reply.finish(turn, owner, model, result, unrecorded, await chunks.finish());
    } finally {
      attempt.text = chunks.text;
      await chunks.stop();
    }
  }

  private async call(model: ChatModel, request: ChatRequest, stop: AbortSignal, chunks: ChunkWriter): Promise<ModelResult> {
    const limit = new AbortController();
    const cancelLimit = this.clock.after(this.config.turnTimeoutMs, () => {
      limit.abort(
        new AppError('TURN_TIMEOUT', 'The answer took too long.', `The limit is ${this.config.turnTimeoutMs} ms (TURN_TIMEOUT_MS).`),
      );
    });
    const startedAt = this.clock.now();
    let reason = 'stop';
    let usage: ChatUsage = {};
    try {
      for await (const event of model.stream(request, { signal: AbortSignal.any([stop, limit.signal]) })) {
        if (event.type === 'delta') chunks.add(event.text);
        else if (event.type === 'finish') ({ reason, usage } = event);
      }
    } finally {
      cancelLimit();
    }
    return { text: chunks.text, reason, usage, durationMs: this.clock.now() - startedAt };
  }

  private modelOf(turn: Turn): ChatModel {
    const text = (key: string): string | undefined => {
      const value = this.agents.setting(turn.agent.id, key);
      return typeof value === 'string' && value !== '' ? value : undefined;
    };
    return this.models.chat({ provider: text('modelProvider'), model: text('model') });
  }

  /** What earlier attempts had streamed; only a turn that is taken up again has any. */
  private async earlierChunks(turn: Turn): Promise<JournalEntry[]> {
    if (turn.attempts <= 1) return [];
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
