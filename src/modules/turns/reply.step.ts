import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { UnitOfWork, type Statement } from '../../core/database/index.js';
import { errorBody, type AppError } from '../../core/errors/index.js';
import { append } from '../../core/journal/index.js';
import type { ChatModel, ChatUsage } from '../../providers/models/index.js';
import { ConversationMemory, type RecalledMemory, type RecallResult } from '../memory/index.js';
import { MessagesService, type Message, type ReplyContent } from '../messaging/index.js';
import { ProfilesService } from '../profiles/index.js';
import type { ModelUsage } from '../usage/index.js';
import type { RecordedPrompt } from './recorded-prompt.js';
import { sourcesOf, type PromptPassage } from './document-passages.js';
import { SummaryJobs } from './summaries/summary-jobs.js';
import { toTurnReference } from './turn-reference.js';
import { TurnUsageRecorder } from './turn-usage.js';
import { TurnsRepository } from './turns.repository.js';
import type { Turn } from './turns.types.js';

export interface ModelResult {
  readonly text: string;
  readonly reason: string;
  readonly usage: ChatUsage;
  /** Duration of the model call, ms. */
  readonly durationMs: number;
  /** Step number under which the call is recorded. */
  readonly step: number;
  /** The prompt, with RUN_PROMPTS. */
  readonly prompt?: RecordedPrompt;
  /** Names of the actions that ran before it. */
  readonly actions: readonly string[];
}

/** State of an attempt when it ends. */
export interface Attempt {
  /** The streamed text. */
  text: string;
  /** Messages that are not in the agent's memory yet. */
  unrecorded: readonly Message[];
  /** Absent when the attempt failed before recall. */
  recall?: RecallResult;
  /** The pieces of documents in the prompt. */
  passages?: readonly PromptPassage[];
  /** Position in the channel up to which the conversation should be summarised. */
  summariseThrough?: number;
  /** See `TurnContext.onlyUser`. */
  onlyUser?: string;
  /** Usage of the turn so far, including earlier attempts. */
  usage: ModelUsage;
  /** The prompt of a model call that has not been answered, with RUN_PROMPTS. */
  prompt?: RecordedPrompt;
}

/** Ends a turn: one transaction stores the reply, the turn's status, its step, the agent's memories and the events. */
@Injectable()
export class ReplyStep {
  constructor(
    private readonly repository: TurnsRepository,
    private readonly messages: MessagesService,
    private readonly memory: ConversationMemory,
    private readonly usage: TurnUsageRecorder,
    private readonly summaries: SummaryJobs,
    private readonly profiles: ProfilesService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * @param providers names of the providers that returned content
   * @returns the reply; null when the agent did not answer
   * @throws LeaseLost when the turn was taken over or cancelled
   */
  async finish(
    turn: Turn,
    owner: string,
    model: ChatModel,
    result: ModelResult,
    { unrecorded, recall, passages = [], summariseThrough, onlyUser, usage }: Attempt,
    lastChunk: Statement[],
    providers: readonly string[] = [],
  ): Promise<ReplyContent | null> {
    const { agent, channel, message } = turn;
    const now = this.clock.now();
    // PostgreSQL cannot store NUL.
    const text = result.text.replaceAll('\0', '').trim();
    const sources = passages.length === 0 ? [] : sourcesOf(text, passages);
    const reply: ReplyContent | null =
      text === ''
        ? null
        : {
            text,
            actions: result.actions.length > 0 ? [...result.actions] : ['REPLY'],
            providers: [...providers],
            metadata: { model: model.modelId, provider: model.provider, ...(sources.length === 0 ? {} : { sources }) },
          };
    const step = {
      provider: model.provider,
      model: model.modelId,
      reason: result.reason,
      usage: result.usage,
      durationMs: result.durationMs,
      text,
      prompt: result.prompt,
      recall: recall && recordOf(recall),
    };
    const draft = reply && this.draft(turn, reply);
    const told = onlyUser === undefined ? undefined : { agentId: agent.id, channelId: channel.id, userId: onlyUser };
    const noted = told ? this.profiles.note(told, model, unrecorded) : [];
    await this.commit([
      this.repository.end(turn, owner, 'done', null, now),
      this.repository.recordStep(turn, result.step, 'model', step, now),
      ...this.usage.recordEnded(turn, usage),
      ...lastChunk,
      ...(draft ? this.messages.insertionStatements(draft) : []),
      ...this.memory.record(agent, channel, [...unrecorded, ...(draft ? [{ ...draft, seq: message.seq }] : [])]),
      ...(summariseThrough === undefined ? [] : [this.summaries.request(turn, summariseThrough)]),
      ...noted,
      append('turn.finished', channel.id, { ...toTurnReference(turn, channel, agent), didRespond: reply !== null, reply }, now),
    ]);
    if (summariseThrough !== undefined) this.summaries.wake();
    if (noted.length > 0) this.profiles.wake();
    return reply;
  }

  /** @throws LeaseLost */
  async fail(turn: Turn, owner: string, error: AppError, { text: partialText, unrecorded, recall, usage, prompt }: Attempt): Promise<void> {
    const { agent, channel } = turn;
    const now = this.clock.now();
    const failure = errorBody(error);
    await this.commit([
      this.repository.end(turn, owner, 'failed', failure, now),
      this.repository.appendStep(turn, 'failure', { ...failure, partialText, recall: recall && recordOf(recall), prompt }, now),
      ...this.usage.recordEnded(turn, usage),
      ...this.memory.record(agent, channel, unrecorded),
      append(
        'turn.failed',
        channel.id,
        { ...toTurnReference(turn, channel, agent), error: failure, ...(partialText === '' ? {} : { partialText }) },
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
        // An answer to an unauthenticated message is unauthenticated too.
        vouched: message.vouched,
      },
      channel,
    );
  }
}

/** A result of recall for the run: ids of memories without their texts. */
function recordOf({ memories, documents, leftOut, byMeaning, byWords, at, durationMs }: RecallResult): Record<string, unknown> {
  const found = ({ memoryId, roomId, score, similarity, foundBy }: RecalledMemory): Record<string, unknown> => ({
    ...{ id: memoryId, roomId, score: rounded(score), similarity: similarity === null ? null : rounded(similarity), foundBy },
  });
  return {
    ...{ byMeaning, byWords, at, durationMs },
    memories: memories.toSorted((a, b) => b.score - a.score).map(found),
    documents: documents.map(found),
    leftOut: leftOut.map(({ memoryId, score, reason }) => ({ id: memoryId, score: rounded(score), reason })),
  };
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
