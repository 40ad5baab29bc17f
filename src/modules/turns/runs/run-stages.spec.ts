// The stages of a run, from its row, its steps, and what a process that runs it knows.
import { describe, expect, it } from '@jest/globals';
import type { StepRow } from './runs.repository.js';
import type { Run } from './runs.types.js';
import { stagesOf, type LiveStages } from './run-stages.js';
import type { TracedStage } from '../turn-trace.js';

const RUN: Run = {
  ...{ runId: 'r', status: 'completed', messageId: 'm', roomId: 'o', channelId: 'c', entityId: 'u', error: null, attempts: 2 },
  ...{ createdAt: 100, startedAt: 110, endedAt: 190 },
  ...{ agentId: 'a', agentName: 'Ada', question: null, answer: null, inputTokens: null, outputTokens: null, costUsd: null },
  counts: { actions: 0, modelCalls: 1, errors: 0, evaluators: 0 },
};
const MODEL: TracedStage = { kind: 'model', name: 'm1', provider: 'p', startedAt: 160, durationMs: 20 };
const STORING: TracedStage = { kind: 'storing', name: 'storing', startedAt: 180, durationMs: null };
const step = (attempt: number, startedAt: number, stages: TracedStage[]): StepRow => ({
  ...{ messageId: 'm', agentId: 'a', kind: 'model', at: 180 },
  payload: { provider: 'p', model: 'm1', reason: 'stop', usage: { inputTokens: 5 }, trace: { attempt, startedAt, stages } },
});
const shown = (run: Run, steps: readonly StepRow[], live: LiveStages = {}): unknown[] =>
  stagesOf(run, steps, live).map(({ kind, attempt, startedAt, durationMs }) => [kind, attempt, startedAt, durationMs]);

describe('the stages of a run', () => {
  it('include an attempt that ended with its process, and the one that replied', () => {
    const stages = stagesOf(RUN, [step(2, 150, [MODEL, STORING])], { storedIn: 9 });
    expect(stages.map(({ kind, attempt, startedAt, durationMs }) => [kind, attempt, startedAt, durationMs])).toEqual([
      ['waiting', 0, 100, 10],
      ['attempt', 1, 110, null],
      ['attempt', 2, 150, 40],
      ['model', 2, 160, 20],
      ['storing', 2, 180, 9],
    ]);
    expect(stages[1]?.error).toContain('stopped');
    expect(stages[2]).not.toHaveProperty('error');
    expect(stages[3]).toMatchObject({ inputTokens: 5, outputTokens: null, finishReason: 'stop' });
  });

  it('show the wait before the first attempt', () => {
    expect(shown({ ...RUN, status: 'started', attempts: 0, startedAt: null, endedAt: null }, [])).toEqual([['waiting', 0, 100, null]]);
  });

  it('omit how long another process took to store', () => {
    expect(shown(RUN, [step(1, 110, [STORING])]).at(-1)).toEqual(['storing', 1, 180, null]);
  });

  it('show the current stage, and stored ones only once', () => {
    const run: Run = { ...RUN, status: 'started', attempts: 1, endedAt: null };
    const trace = { attempt: 1, startedAt: 110, stages: [MODEL, { ...MODEL, startedAt: 181, durationMs: null }] };
    expect(shown(run, [step(1, 110, [MODEL])], { trace })).toEqual([
      ['waiting', 0, 100, 10],
      ['attempt', 1, 110, null],
      ['model', 1, 160, 20],
      ['model', 1, 181, null],
    ]);
  });

  it('are fewer for a run of a previous version', () => {
    expect(shown({ ...RUN, attempts: 1 }, [{ ...step(1, 1, []), payload: { model: 'm1' } }])).toEqual([
      ['waiting', 0, 100, 10],
      ['attempt', 1, 110, 80],
    ]);
  });
});
