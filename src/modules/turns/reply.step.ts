import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { UnitOfWork, type Statement } from '../../core/database/index.js';
import { errorBody, type AppError } from '../../core/errors/index.js';
import { append, type ReplyContent } from '../../core/journal/index.js';
import type { ChatModel, ChatUsage } from '../../providers/models/index.js';
import { ConversationMemory, type Recollection } from '../memory/index.js';
import { MessagesService, type Message } from '../messaging/index.js';
import { referenceOf } from './turn-obligation.js';
import { TurnsRepository } from './turns.repository.js';
import type { Turn } from './turns.types.js';

export interface ModelResult {
  readonly text: string;
  readonly reason: string;
  readonly usage: ChatUsage;
  /** Time from the call to the end of the answer, ms. */
  readonly durationMs: number;
  /** Number under which the call is recorded. */
  readonly step: number;
  /** Names of the actions that were run before it. */
  readonly actions: readonly string[];
}

/** What is known of an attempt when it ends. */
export interface Attempt {
  /** What was streamed. */
  text: string;
  /** Messages that the agent has not recorded yet. */
  unrecorded: readonly Message[];
  /** Absent when the attempt did not come to it. */
  recall?: Recollection;
}

/** How a turn ends: one unit stores the reply, ends the turn, records its step and what the agent remembers, and tells everybody. */
@Injectable()
export class ReplyStep {
  constructor(
    private readonly repository: TurnsRepository,
    private readonly messages: MessagesService,
    private readonly memory: ConversationMemory,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * @param providers names of those that had something to say
   * @returns what the agent said; null when it stayed silent
   * @throws TurnLost when the turn was taken away or cancelled meanwhile
   */
  async finish(
    turn: Turn,
    owner: string,
    model: ChatModel,
    result: ModelResult,
    { unrecorded, recall }: Omit<Attempt, 'text'>,
    lastChunk: Statement[],
    providers: readonly string[] = [],
  ): Promise<ReplyContent | null> {
    const { agent, channel, message } = turn;
    const now = this.clock.now();
    // PostgreSQL cannot keep a NUL.
    const text = result.text.replaceAll('\0', '').trim();
    const reply: ReplyContent | null =
      text === ''
        ? null
        : {
            text,
            actions: result.actions.length > 0 ? [...result.actions] : ['REPLY'],
            providers: [...providers],
            metadata: { model: model.modelId, provider: model.provider },
          };
    const step = {
      provider: model.provider,
      model: model.modelId,
      reason: result.reason,
      usage: result.usage,
      durationMs: result.durationMs,
      text,
      recall: recall && recordOf(recall),
    };
    const draft = reply && this.draft(turn, reply);
    await this.commit([
      this.repository.end(turn, owner, 'done', null, now),
      this.repository.recordStep(turn, result.step, 'model', step, now),
      ...lastChunk,
      ...(draft ? this.messages.insertion(draft) : []),
      ...this.memory.record(agent, channel, [...unrecorded, ...(draft ? [{ ...draft, seq: message.seq }] : [])]),
      append('turn.finished', channel.id, { ...referenceOf(turn, channel, agent), didRespond: reply !== null, reply }, now),
    ]);
    return reply;
  }

  /** @throws TurnLost */
  async fail(turn: Turn, owner: string, error: AppError, { text: partialText, unrecorded, recall }: Attempt): Promise<void> {
    const { agent, channel } = turn;
    const now = this.clock.now();
    const failure = errorBody(error);
    await this.commit([
      this.repository.end(turn, owner, 'failed', failure, now),
      this.repository.appendStep(turn, 'failure', { ...failure, partialText, recall: recall && recordOf(recall) }, now),
      ...this.memory.record(agent, channel, unrecorded),
      append(
        'turn.failed',
        channel.id,
        { ...referenceOf(turn, channel, agent), error: failure, ...(partialText === '' ? {} : { partialText }) },
        now,
      ),
    ]);
  }

  private async commit(statements: Statement[]): Promise<void> {
    await this.unitOfWork.commit(statements);
  }

  private draft(turn: Turn, reply: ReplyContent): ReturnType<MessagesService['draft']> {
    const { agent, channel, message, replyId } = turn;
    return this.messages.draft(
      {
        id: replyId,
        channelId: channel.id,
        authorId: agent.id,
        authorKind: 'agent',
        authorName: agent.name,
        content: reply.text,
        rawMessage: { text: reply.text, actions: reply.actions, providers: reply.providers },
        sourceType: 'agent_response',
        metadata: {
          ...reply.metadata,
          agent_id: agent.id,
          agentName: agent.name,
          ...(message.metadata['sessionId'] === undefined ? {} : { sessionId: message.metadata['sessionId'] }),
        },
        inReplyTo: message.id,
        // What follows from words no credential vouches for is not vouched for either.
        vouched: message.vouched,
      },
      channel,
    );
  }
}

/** A recollection as a run shows it: which memories, not what they say. */
function recordOf({ memories, ...recall }: Recollection): Record<string, unknown> {
  return { ...recall, memories: memories.map(({ memoryId, roomId, similarity }) => ({ id: memoryId, roomId, similarity })) };
}
