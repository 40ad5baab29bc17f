import type { ReplyChange } from '../../modules/messaging/index.js';
import type { FinalResponse, StoredExchange } from '../../modules/protocols/index.js';
import { callId, type RecordedRound } from '../../modules/turns/index.js';
import { REASONS_OF_MODELS, type ResponseState } from './response-state.js';

/** What happened to a reply that has ended, as far as it is stored, when its journal entries have been deleted. */
export function changesOf(
  { message, agent, replyId }: StoredExchange,
  part: number | undefined,
  rounds: readonly RecordedRound[],
): ReplyChange[] {
  const ids = { messageId: message.id, agentId: agent.id, replyId };
  const changes: ReplyChange[] = part === undefined ? [] : [{ kind: 'resumed', ...ids, step: part }];
  let attempt = 0;
  const begin = (next: number): void => {
    if (next !== attempt) changes.push({ kind: 'begun', ...ids, attempt: next });
    attempt = next;
  };
  for (const round of rounds) {
    begin(round.attempt);
    const own = round.calls.length - round.handed;
    const started = (index: number): void => {
      const call = round.calls[index];
      if (call) changes.push({ kind: 'action', ...ids, action: call.name, step: round.step + 1 + index, status: 'started' });
    };
    started(0);
    for (const [index, call] of round.calls.entries()) {
      if (index >= own) break;
      begin(call.attempt ?? attempt);
      const step = round.step + 1 + index;
      changes.push({ kind: 'action', ...ids, action: call.name, step, status: 'completed', success: true, durationMs: 0 });
      started(index + 1);
    }
    if (round.handed > 0) changes.push({ kind: 'suspended', ...ids, calls: [] });
  }
  return changes;
}

/** The end of a stored response, as its stream had it. */
export function finalOf(
  { message, reply }: StoredExchange,
  { rounds, incompleteReason }: ResponseState,
): Pick<FinalResponse, 'text' | 'reason' | 'calls' | 'citations'> {
  const last = rounds.at(-1);
  if (last && last.handed > 0) {
    const first = last.calls.length - last.handed;
    const calls = last.calls.flatMap(({ name, input }, index) =>
      index < first ? [] : [{ id: callId(message.id, last.step + 1 + index), name, input }],
    );
    return { text: '', reason: 'tool-calls', calls, citations: [] };
  }
  const sources = reply?.metadata['sources'];
  const citations = Array.isArray(sources) ? (sources as FinalResponse['citations']) : [];
  return { text: reply?.content ?? '', reason: incompleteReason ? REASONS_OF_MODELS[incompleteReason] : 'stop', calls: [], citations };
}
