import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import { CONFIG, type Config } from '../../../core/config/index.js';
import { UnitOfWork, type Statement, type Transaction } from '../../../core/database/index.js';
import { AppError, errorBody } from '../../../core/errors/index.js';
import { append, entryPosition } from '../../../core/journal/index.js';
import { LeaseLost } from '../../../core/queue/index.js';
import { AgentsService } from '../../agents/index.js';
import { ChannelsService, MessagesService, type HandedCall, type Message } from '../../messaging/index.js';
import { sumUsage, type RecordedStep } from '../attempt/recorded-rounds.js';
import { TurnUsageRecorder } from '../attempt/turn-usage.js';
import type { ToolCall } from '../tools/action-arguments.js';
import type { ActionOutcome } from '../tools/action-result.js';
import { toTurnReference } from '../turn-reference.js';
import { TurnsRepository } from '../turns.repository.js';
import type { PendingTurn, Turn } from '../turns.types.js';
import { callId, readCallId } from './call-ids.js';
import type { SentCall, TurnRequest } from './turn-request.js';
import { TurnRequests } from './turn-requests.js';

const MINUTE_MS = 60_000;
/** Overdue turns that are ended at a time. */
const BATCH = 100;

/** The result of a call that the caller ran. */
export interface CallerResult {
  /** As it was handed to the caller. */
  readonly callId: string;
  readonly text: string;
  readonly isError?: boolean;
}

/** A result that the caller gave, with the call. */
export interface GivenResult extends Omit<SentCall, 'id'> {
  readonly text: string;
  readonly isError: boolean;
}

/** What became of results. */
export type GivenResults =
  /** The reply goes on behind its change `resumed` of this step, whose entry has this offset. */
  | { readonly state: 'resumed'; readonly message: Message; readonly offset: number; readonly step: number }
  /** They were given before. The reply went on behind its change `resumed` of this step. */
  | { readonly state: 'known'; readonly message: Message; readonly step: number }
  /** No turn waits for exactly these results. */
  | { readonly state: 'unknown' };

type Key = Pick<PendingTurn, 'messageId' | 'agentId'>;

/** Calls of tools that the caller of a protocol runs: the turn waits for their results, over restarts, for TOOL_RESULT_MINUTES. */
@Injectable()
export class CallerTools {
  constructor(
    private readonly repository: TurnsRepository,
    private readonly requests: TurnRequests,
    private readonly channels: ChannelsService,
    private readonly messages: MessagesService,
    private readonly agents: AgentsService,
    private readonly usage: TurnUsageRecorder,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Hands calls to the caller. @param before statements that store the text so far @throws LeaseLost */
  async suspend(
    { turn, owner, open, step }: { turn: Turn; owner: string; open: readonly ToolCall[]; step: number },
    before: readonly Statement[],
  ): Promise<void> {
    const now = this.clock.now();
    const calls = open.map(({ name }, index): HandedCall => ({ id: callId(turn.messageId, step + index), name }));
    await this.unitOfWork.commit([
      this.repository.suspend(turn, owner, now + this.config.toolResultMinutes * MINUTE_MS),
      ...before,
      append('turn.suspended', turn.channelId, { ...toTurnReference(turn, turn.channel, turn.agent), calls }, now),
    ]);
  }

  /**
   * Calls as the caller gets them, and the tokens of the model calls since the results before them, null when the service did not report them.
   *
   * @param handed calls of one suspension; none for the end of the reply
   */
  async stateOf(
    key: Key,
    handed: readonly HandedCall[],
  ): Promise<{ readonly calls: SentCall[]; readonly inputTokens: number | null; readonly outputTokens: number | null }> {
    const all = await this.repository.steps(key);
    const first = handed[0] && readCallId(handed[0].id)?.step;
    const steps = all.slice(0, first);
    const model = steps.findLastIndex(({ kind }) => kind === 'model');
    const calls = (steps[model]?.payload['calls'] as readonly ToolCall[] | undefined) ?? [];
    const { inputTokens, outputTokens } = sumUsage(steps.slice(steps.findLastIndex(({ payload }) => payload['byCaller'] === true) + 1));
    return {
      calls: handed.map(({ id, name }, index) => ({ id, name, input: calls[steps.length - model - 1 + index]?.input ?? null })),
      ...{ inputTokens, outputTokens },
    };
  }

  /** The results that the caller gave in a turn, by the id of the call. */
  async resultsOf(key: Key): Promise<ReadonlyMap<string, GivenResult>> {
    const steps = await this.repository.steps(key);
    return new Map(
      steps.flatMap(({ payload }, step) => {
        const { byCaller, result, call } = payload as unknown as ActionOutcome;
        if (!byCaller) return [];
        const given = { name: call.name, input: call.input, text: result.text ?? '', isError: !result.success };
        return [[callId(key.messageId, step), given] as const];
      }),
    );
  }

  /** The message of an agent's newest turn in a channel, if that has not ended: it is queued, runs, or waits for results. */
  async unendedMessageOf(channelId: string, agentId: string): Promise<Message | undefined> {
    const turn = await this.repository.newestUnended(channelId, agentId);
    return turn && this.messages.find(turn.messageId);
  }

  /** As `unendedMessageOf`, without a turn that waits for results. */
  async runningMessageOf(channelId: string, agentId: string): Promise<Message | undefined> {
    const turn = await this.repository.newestUnended(channelId, agentId);
    return turn && !turn.suspended ? this.messages.find(turn.messageId) : undefined;
  }

  /** What the model said in a turn since the last results of the caller, call by call. */
  async toldTexts(key: Key): Promise<string[]> {
    const steps = await this.repository.steps(key);
    const last = steps.findLastIndex(({ payload }) => payload['byCaller'] === true);
    const said = steps.slice(last + 1).flatMap(({ kind, payload }) => (kind === 'model' ? [payload['text']] : []));
    return said.filter((text): text is string => typeof text === 'string' && text !== '');
  }

  /** The message whose turn handed out all of these calls; undefined when there is none. */
  messageOf(results: readonly CallerResult[]): string | undefined {
    const [first, ...others] = results.map(({ callId: id }) => readCallId(id)?.messageId);
    return others.every((each) => each === first) ? first : undefined;
  }

  /**
   * Takes the results of calls, and lets the turn go on. The same results again change nothing.
   *
   * @param request what the caller asks for the rest of the turn; the conversation of the first request stays
   * @throws AppError VALIDATION_ERROR that names calls without a result
   */
  async give(agentId: string, results: readonly CallerResult[], request: TurnRequest): Promise<GivenResults> {
    const messageId = this.messageOf(results);
    const message = messageId === undefined ? undefined : await this.messages.find(messageId);
    if (!message) return { state: 'unknown' };
    const stepped = results.map((result) => ({ ...result, step: readCallId(result.callId)?.step ?? 0 }));
    return this.unitOfWork.run('give results of tools', async (tx) => this.giveIn(tx, message, agentId, stepped, request));
  }

  private async giveIn(
    tx: Transaction,
    message: Message,
    agentId: string,
    results: readonly (CallerResult & { readonly step: number })[],
    request: TurnRequest,
  ): Promise<GivenResults> {
    const key = { messageId: message.id, agentId };
    const turn = await this.repository.findIn(tx, key);
    if (!turn) return { state: 'unknown' };
    const steps = await this.repository.stepsIn(tx, key);
    if (results.some(({ step }) => steps[step] !== undefined)) return knownResults(message, steps, results);
    const model = steps.findLastIndex(({ kind }) => kind === 'model');
    const calls = (steps[model]?.payload['calls'] as readonly ToolCall[] | undefined) ?? [];
    const open = calls.slice(steps.length - model - 1);
    if (turn.status !== 'suspended' || open.length === 0) return { state: 'unknown' };
    const bySteps = new Map(results.map((result) => [result.step, result]));
    const missing = open.flatMap(({ name }, index) =>
      bySteps.has(steps.length + index) ? [] : [`${name} (${callId(key.messageId, steps.length + index)})`],
    );
    if (missing.length > 0) {
      throw new AppError(
        'VALIDATION_ERROR',
        `The result of ${missing.join(', ')} is missing.`,
        'Send the results of all calls in one request.',
      );
    }
    return this.resume(
      tx,
      message,
      turn,
      open.map((call, index) => ({ ...bySteps.get(steps.length + index)!, call })),
      request,
    );
  }

  private async resume(
    tx: Transaction,
    message: Message,
    turn: PendingTurn,
    results: readonly (CallerResult & { readonly call: ToolCall; readonly step: number })[],
    request: TurnRequest,
  ): Promise<GivenResults> {
    const channel = await this.channels.require(turn.channelId);
    const now = this.clock.now();
    const reference = toTurnReference(turn, channel, this.agents.find(turn.agentId));
    const last = results.at(-1)!;
    const { messages: _first, ...rest } = request;
    const before = await this.requests.ofIn(tx, turn.messageId);
    const outcomes = await tx.apply([
      ...results.flatMap(({ call, step, text, isError = false }, index) => {
        const outcome: ActionOutcome = {
          call,
          action: call.name,
          result: { success: !isError, text },
          messages: [],
          durationMs: 0,
          byCaller: true,
        };
        return [
          this.repository.recordStep(turn, step, 'action', { ...outcome }, now),
          ...(index === 0 ? [] : [append('action.started', channel.id, { ...reference, action: call.name, step, byCaller: true }, now)]),
          append(
            'action.completed',
            channel.id,
            { ...reference, action: call.name, step, byCaller: true, success: !isError, durationMs: 0 },
            now,
          ),
        ];
      }),
      this.requests.replace(turn.messageId, before?.messages ? { ...rest, messages: before.messages } : rest),
      append('turn.resumed', channel.id, { ...reference, step: last.step + 1 }, now),
      this.repository.resume(turn),
    ]);
    return { state: 'resumed', message, offset: entryPosition(outcomes.at(-2)).offset, step: last.step + 1 };
  }

  /** Ends turns whose callers have not returned the results in time. */
  async expireOverdue(): Promise<void> {
    for (const turn of await this.repository.overdue(this.clock.now(), BATCH)) {
      try {
        await this.expire(turn);
      } catch (error) {
        // The results came, or the turn was cancelled.
        if (!(error instanceof LeaseLost)) throw error;
      }
    }
  }

  private async expire(turn: PendingTurn): Promise<void> {
    const channel = await this.channels.find(turn.channelId);
    if (!channel) return;
    const now = this.clock.now();
    const error = errorBody(
      new AppError(
        'TURN_TIMEOUT',
        'The results of the tools did not come in time.',
        `The reply waited for ${this.config.toolResultMinutes} minutes (TOOL_RESULT_MINUTES). Send the message again.`,
      ),
    );
    await this.unitOfWork.run('expire a suspended turn', async (tx) => {
      await tx.apply([
        this.repository.expire(turn, error, now),
        this.repository.appendStep(turn, 'failure', { ...error }, now),
        ...(await this.usage.recordCancelled([turn], tx)),
        this.requests.deleteOf(turn.messageId),
        append('turn.failed', channel.id, { ...toTurnReference(turn, channel, this.agents.find(turn.agentId)), error }, now),
      ]);
    });
  }
}

/** Results that were given before: a retry, or another version of the conversation. */
function knownResults(
  message: Message,
  steps: readonly RecordedStep[],
  results: readonly (CallerResult & { readonly step: number })[],
): GivenResults {
  const isSame = results.every(({ step, text, isError = false }) => {
    const { kind, payload } = steps[step] ?? { kind: '', payload: {} };
    return kind === 'action' && isDeepStrictEqual(payload['result'], { success: !isError, text });
  });
  return isSame ? { state: 'known', message, step: Math.max(...results.map(({ step }) => step)) + 1 } : { state: 'unknown' };
}
