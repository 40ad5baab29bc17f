import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import { UnitOfWork, type Statement } from '../../../core/database/index.js';
import { errorBody, type AppError, type ErrorBody } from '../../../core/errors/index.js';
import { append } from '../../../core/journal/index.js';
import { Vault } from '../../../core/vault/index.js';
import type { ChatModel, ChatReasoning, ChatUsage } from '../../../providers/models/index.js';
import { ConversationMemory } from '../../memory/index.js';
import { MessagesService, type ReplyContent } from '../../messaging/index.js';
import { ProfilesService } from '../../profiles/index.js';
import type { RecordedPrompt } from '../prompt/recorded-prompt.js';
import { recordPromptOf, type Attempt } from './attempt.js';
import { sourcesOf } from '../prompt/document-passages.js';
import { LiveTurns } from './live-turns.js';
import { TurnRequests } from '../requests/turn-requests.js';
import { sealReasoning } from './reasoning-record.js';
import { SummaryRunner } from '../summaries/summary-runner.js';
import { toTurnReference } from '../turn-reference.js';
import type { TracedStage } from '../turn-trace.js';
import { TurnUsageRecorder } from './turn-usage.js';
import { TurnsRepository } from '../turns.repository.js';
import type { Turn } from '../turns.types.js';

export interface ModelResult {
  readonly text: string;
  readonly reason: string;
  /** Why the model declines, in its own words. */
  readonly refusal?: string;
  readonly reasoning?: ChatReasoning;
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

/** A turn whose model has ended. */
export interface EndedTurn {
  readonly turn: Turn;
  /** Holder of its lease. */
  readonly owner: string;
  readonly model: ChatModel;
  readonly result: ModelResult;
  readonly attempt: Attempt;
  /** Statements that append the text that was not told yet. */
  readonly lastChunk: readonly Statement[];
  /** Names of the providers that returned content. */
  readonly providers: readonly string[];
}

/** The text of a model as a reply. PostgreSQL cannot store NUL. */
export function replyText(text: string): string {
  return text.replaceAll('\0', '').trim();
}

/** Ends a turn: one transaction stores the reply, the turn's status, its step, the agent's memories and the events. */
@Injectable()
export class ReplyStep {
  constructor(
    private readonly repository: TurnsRepository,
    private readonly messages: MessagesService,
    private readonly memory: ConversationMemory,
    private readonly usage: TurnUsageRecorder,
    private readonly requests: TurnRequests,
    private readonly summaries: SummaryRunner,
    private readonly profiles: ProfilesService,
    private readonly live: LiveTurns,
    private readonly vault: Vault,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @returns the reply; null when the agent did not answer. @throws LeaseLost when the turn was taken over or cancelled */
  async finish(ended: EndedTurn): Promise<ReplyContent | null> {
    const { turn, owner, model, result, attempt, lastChunk } = ended;
    const { agent, channel, message } = turn;
    const { unrecorded = [], summariseThrough, onlyUser } = attempt.built ?? {};
    const now = this.clock.now();
    const storing = attempt.trace.begin('storing');
    const reply = replyOf(ended);
    const draft = reply && this.draft(turn, reply);
    const extraction =
      onlyUser === undefined || attempt.forgets
        ? []
        : this.profiles.note({ agentId: agent.id, channelId: channel.id, userId: onlyUser }, model, unrecorded);
    await this.commit(turn, attempt, storing, [
      this.repository.end(turn, owner, 'done', null, now),
      this.repository.recordStep(turn, result.step, 'model', this.stepOf(ended), now),
      ...this.usage.recordEnded(turn, attempt.usage),
      ...lastChunk,
      ...(draft ? this.messages.insertionStatements(draft) : []),
      ...this.requests.delete(message),
      ...(attempt.forgets ? [] : this.memory.record(agent, channel, [...unrecorded, ...(draft ? [{ ...draft, seq: message.seq }] : [])])),
      ...(summariseThrough === undefined ? [] : [this.summaries.request(turn, summariseThrough)]),
      ...extraction,
      append('turn.finished', channel.id, { ...toTurnReference(turn, channel, agent), didRespond: reply !== null, reply }, now),
    ]);
    if (summariseThrough !== undefined) this.summaries.wake();
    if (extraction.length > 0) this.profiles.wake();
    return reply;
  }

  /** The record of the last model call. */
  private stepOf({ model, result, attempt }: EndedTurn): Record<string, unknown> {
    const { reason, usage, durationMs, refusal, prompt } = result;
    return {
      provider: model.provider,
      model: model.modelId,
      ...{ reason, usage, durationMs },
      text: replyText(result.text),
      refusal,
      reasoning: sealReasoning(this.vault, result.reasoning),
      prompt,
      ...recordPromptOf(attempt),
      actions: attempt.actions,
      trace: attempt.trace.current,
    };
  }

  /** What the model said until then is stored as a message, so that no word of it is lost. @throws LeaseLost */
  async fail(turn: Turn, owner: string, error: AppError, attempt: Attempt): Promise<void> {
    const { agent, channel } = turn;
    const { text: partialText, lastChunk = [], built, actions, usage, prompt, reasoning, trace } = attempt;
    const now = this.clock.now();
    const storing = trace.begin('storing');
    const failure = errorBody(error);
    const thoughts = sealReasoning(this.vault, reasoning);
    const step = { partialText, reasoning: thoughts, ...recordPromptOf(attempt), actions, prompt, trace: trace.current };
    const draft = this.partialDraft(turn, partialText, failure, usage);
    await this.commit(turn, attempt, storing, [
      this.repository.end(turn, owner, 'failed', failure, now),
      this.repository.appendStep(turn, 'failure', { ...failure, ...step }, now),
      ...this.usage.recordEnded(turn, usage),
      ...lastChunk,
      ...(draft ? this.messages.insertionStatements(draft) : []),
      ...this.requests.delete(turn.message),
      ...(attempt.forgets
        ? []
        : this.memory.record(agent, channel, [...(built?.unrecorded ?? []), ...(draft ? [{ ...draft, seq: turn.message.seq }] : [])])),
      append(
        'turn.failed',
        channel.id,
        { ...toTurnReference(turn, channel, agent), error: failure, ...(partialText === '' ? {} : { partialText }) },
        now,
      ),
    ]);
  }

  private async commit({ replyId }: Turn, { trace }: Attempt, storing: TracedStage, statements: Statement[]): Promise<void> {
    await this.unitOfWork.commit(statements);
    trace.end(storing);
    this.live.noteStored(replyId, this.clock.now() - storing.startedAt);
  }

  private partialDraft(
    turn: Turn,
    partialText: string,
    failure: ErrorBody,
    { provider, model }: Attempt['usage'],
  ): ReturnType<MessagesService['draft']> | undefined {
    const text = replyText(partialText);
    if (text === '') return undefined;
    return this.draft(turn, { text, actions: ['REPLY'], providers: [], metadata: { model, provider, finishReason: 'error', failure } });
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

function replyOf({ model, result, attempt, providers }: EndedTurn): ReplyContent | null {
  const text = replyText(result.text);
  if (text === '') return null;
  const { citables = [], unread = [] } = attempt.built ?? {};
  const sources = citables.length === 0 ? [] : sourcesOf(text, citables);
  return {
    text,
    actions: result.actions.length > 0 ? [...result.actions] : ['REPLY'],
    providers: [...providers],
    metadata: {
      model: model.modelId,
      provider: model.provider,
      finishReason: result.reason,
      ...(sources.length === 0 ? {} : { sources }),
      ...(unread.length === 0 ? {} : { unreadAttachments: unread }),
    },
  };
}
