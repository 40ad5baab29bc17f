import type { ErrorBody } from '../../core/errors/index.js';
import type { StoredExchange } from '../../modules/protocols/index.js';
import { callId, type RecordedRound } from '../../modules/turns/index.js';
import type { Citation } from '../../modules/messaging/index.js';
import { annotationsOf, functionCallItem, messageItem, plainText, reasoningItem, type OutputItem } from './output-items.js';
import { itemId } from './response-ids.js';
import { settingsOf } from './response-settings.js';

export type ResponseStatus = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';

export type IncompleteReason = 'max_output_tokens' | 'content_filter';

/** A response as far as it has come. */
export interface ResponseState {
  readonly status: ResponseStatus;
  readonly output: readonly OutputItem[];
  readonly incompleteReason: IncompleteReason | null;
  readonly error: ErrorBody | null;
  /** Epoch ms; null while it has not completed. */
  readonly completedAt: number | null;
  /** Tokens of its model calls; null when the service did not report them. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | null;
  readonly rounds: readonly RecordedRound[];
}

const REASONS: Readonly<Record<string, IncompleteReason>> = {
  length: 'max_output_tokens',
  'content-filter': 'content_filter',
};

/** What a response is incomplete for, in the words of models. */
export const REASONS_OF_MODELS = { max_output_tokens: 'length', content_filter: 'content-filter' } as const;

/**
 * The part of a stored reply that a response is.
 *
 * @param part as `Exchange.from.step`
 * @returns undefined when the reply has no such part
 */
export function stateOf(stored: StoredExchange, part: number | undefined): ResponseState | undefined {
  const { record, message } = stored;
  if (part !== undefined && !beginsPart(record.rounds, part)) return undefined;
  const rounds = roundsOf(stored, part);
  const last = rounds.at(-1);
  const isHandedOut = last !== undefined && hasHandedOut(stored, last);
  const hearsReasoning = message.metadata['reasoning'] === true;
  const output = rounds.flatMap((round) => itemsOf(stored, round, hearsReasoning));
  const usage = usageOf(rounds);
  if (isHandedOut) {
    return { status: 'completed', output, incompleteReason: null, error: null, completedAt: last.at, usage, rounds };
  }
  const { status, error, finishedAt } = record;
  switch (status) {
    case 'done': {
      const incompleteReason = incompleteReasonOf(stored, last);
      const ended = incompleteReason ? ('incomplete' as const) : ('completed' as const);
      return { status: ended, output, incompleteReason, error: null, completedAt: incompleteReason ? null : finishedAt, usage, rounds };
    }
    case 'failed':
      return { status, output, incompleteReason: null, error, completedAt: null, usage, rounds };
    case 'cancelled':
      return { status, output, incompleteReason: null, error: null, completedAt: null, usage, rounds };
    default:
      return {
        status: status === 'queued' && rounds.length === 0 && part === undefined ? 'queued' : 'in_progress',
        ...{ output, incompleteReason: null, error: null, completedAt: null, usage: null, rounds },
      };
  }
}

/** The part that comes before another one; undefined when that is the first. */
export function partBefore(rounds: readonly RecordedRound[], part: number): number | undefined {
  const starts = rounds.flatMap((round) => (isAnswered(round) ? [round.step + 1 + round.calls.length] : []));
  return starts.filter((start) => start < part).at(-1);
}

/** Calls that the caller is to run before the reply goes on, and has not run; undefined when the reply does not wait. */
export function openCalls({ record, message }: StoredExchange): string[] | undefined {
  const last = record.rounds.at(-1);
  if (record.status !== 'suspended' || !last) return undefined;
  return last.calls.flatMap(({ attempt }, index) => (attempt === undefined ? [callId(message.id, last.step + 1 + index)] : []));
}

/** All that was said, thought and called in a call of the model. */
export function itemsOf({ message, record, reply, replyId }: StoredExchange, round: RecordedRound, hearsReasoning: boolean): OutputItem[] {
  const { step, attempt, text, reasoning, calls, handed } = round;
  const isLast = calls.length === 0;
  const isCut = isLast && REASONS[round.reason ?? ''] !== undefined;
  // A reply that was edited or deleted since is as it is now.
  const said = isLast && record.status === 'done' ? plainText(reply?.id === replyId ? reply.content : '') : plainText(text);
  const citations = isLast && Array.isArray(reply?.metadata['sources']) ? (reply.metadata['sources'] as Citation[]) : [];
  const status = isCut ? 'incomplete' : 'completed';
  const phase = isLast ? 'final_answer' : 'commentary';
  const first = calls.length - handed;
  return [
    ...(hearsReasoning && reasoning !== '' ? [reasoningItem(itemId('rs', message.id, step, attempt), reasoning)] : []),
    ...(said === ''
      ? []
      : [messageItem(itemId('msg', message.id, step, attempt), said, status, { annotations: annotationsOf(said, citations), phase })]),
    ...(hasHandedOut({ record }, round)
      ? calls.flatMap(({ name, input }, index) =>
          index < first ? [] : [functionCallItem({ id: callId(message.id, step + 1 + index), name, input })],
        )
      : []),
  ];
}

function beginsPart(rounds: readonly RecordedRound[], part: number): boolean {
  return rounds.some((round) => isAnswered(round) && round.step + 1 + round.calls.length === part);
}

/** The model's calls of a part: until the one whose functions the caller runs. */
function roundsOf({ record }: StoredExchange, part = 0): RecordedRound[] {
  const rounds = record.rounds.filter(({ step }) => step >= part);
  const last = rounds.findIndex((round) => hasHandedOut({ record }, round));
  return last === -1 ? rounds : rounds.filter((_, index) => index <= last);
}

/** Whether the caller has got the calls that it is to run. */
function hasHandedOut({ record: { status, rounds } }: Pick<StoredExchange, 'record'>, round: RecordedRound): boolean {
  if (round.handed === 0) return false;
  const hasEnded = status !== 'queued' && status !== 'running';
  const own = round.calls.filter((_, index) => index < round.calls.length - round.handed);
  return isAnswered(round) || (round === rounds.at(-1) && hasEnded && own.every(({ attempt }) => attempt !== undefined));
}

/** Whether the results of the caller have come. */
function isAnswered({ handed, calls }: RecordedRound): boolean {
  return handed > 0 && calls.at(-1)?.result !== undefined;
}

/** A model that says nothing within the limit of the caller thought for too long. */
function incompleteReasonOf({ reply, message }: StoredExchange, last: RecordedRound | undefined): IncompleteReason | null {
  const isSilent = reply === undefined && settingsOf(message).max_output_tokens !== null && plainText(last?.text ?? '') === '';
  return REASONS[last?.reason ?? ''] ?? (isSilent ? 'max_output_tokens' : null);
}

function usageOf(rounds: readonly RecordedRound[]): ResponseState['usage'] {
  const all = rounds.map(({ usage }) => usage);
  if (all.some(({ inputTokens, outputTokens }) => inputTokens === null || outputTokens === null)) return null;
  const sum = (of: (usage: (typeof all)[number]) => number | null): number => all.reduce((total, usage) => total + (of(usage) ?? 0), 0);
  return { inputTokens: sum(({ inputTokens }) => inputTokens), outputTokens: sum(({ outputTokens }) => outputTokens) };
}
