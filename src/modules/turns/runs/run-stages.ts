import { shortened } from '../../../core/text/index.js';
import type { ActionOutcome } from '../tools/action-result.js';
import { evaluationsIn, payloadOf, type ModelStep } from './run-steps.js';
import type { StepRow } from './runs.repository.js';
import type { Run } from './runs.types.js';
import type { TracedKind, TracedStage, TraceRecord } from '../turn-trace.js';

const MAX_TEXT = 2000;
const INTERRUPTED = 'The process that ran the attempt stopped, or lost the turn to another one.';

/** A stage of a run. Fields that do not apply to its kind are absent. */
export interface RunStage extends Omit<TracedStage, 'kind'> {
  readonly kind: 'waiting' | 'attempt' | 'evaluator' | TracedKind;
  /** 1, 2, 3, …; 0 before the first attempt. */
  readonly attempt: number;
  /** Of a model call; null when the service did not report them. */
  readonly inputTokens?: number | null;
  readonly outputTokens?: number | null;
  readonly finishReason?: string;
  /** US dollars; null without a price. */
  readonly costUsd?: number | null;
  /** Of an action: JSON text, shortened. */
  readonly arguments?: string;
  readonly result?: string;
}

/** What a process that runs the turn knows besides its rows. */
export interface LiveStages {
  readonly trace?: TraceRecord;
  /** Milliseconds. */
  readonly storedIn?: number;
}

/** The stages of a run by start; those that contain others come first. */
export function stagesOf(run: Run, steps: readonly StepRow[], { trace, storedIn }: LiveStages): RunStage[] {
  const records = steps.flatMap((step) => {
    const { trace: recorded } = payloadOf<{ trace: TraceRecord }>(step.payload);
    return recorded ? [{ step, recorded }] : [];
  });
  const stages = records.flatMap(({ step, recorded: { attempt, stages: traced } }) =>
    traced.map((stage): RunStage => {
      const isOfStep = stage === traced.findLast(({ kind }) => kind === step.kind);
      const own = isOfStep ? detailsOf(step) : {};
      return { ...stage, durationMs: stage.kind === 'storing' ? (storedIn ?? null) : stage.durationMs, ...own, attempt };
    }),
  );
  // A step may have been stored between the reading of the trace and that of the rows.
  const known = new Set(stages.map(keyOf));
  const running = (trace?.stages ?? []).map((stage): RunStage => ({ ...stage, attempt: trace?.attempt ?? 0 }));
  stages.push(...running.filter((stage) => !known.has(keyOf(stage))));
  const traces = [...records.map(({ recorded }) => recorded), ...(trace ? [trace] : [])];
  const attempts = attemptsOf(run, traces);
  const before: RunStage = {
    kind: 'waiting',
    name: 'waiting',
    startedAt: run.createdAt,
    durationMs: attempts[0] ? Math.max(attempts[0].startedAt - run.createdAt, 0) : null,
    attempt: 0,
  };
  const evaluators = steps.flatMap((step) => evaluatorStages(step, run.attempts));
  return [before, ...attempts, ...stages, ...evaluators].sort((a, b) => a.startedAt - b.startedAt);
}

function attemptsOf(run: Run, traces: readonly TraceRecord[]): RunStage[] {
  if (run.startedAt === null) return [];
  const starts = new Map(traces.map(({ attempt, startedAt }) => [attempt, startedAt]));
  if (!starts.has(1)) starts.set(1, run.startedAt);
  return [...starts]
    .sort(([a], [b]) => a - b)
    .map(([attempt, startedAt]) => {
      const isLast = attempt === Math.max(run.attempts, 1);
      const durationMs = isLast && run.endedAt !== null ? Math.max(run.endedAt - startedAt, 0) : null;
      return { kind: 'attempt', name: 'attempt', startedAt, durationMs, attempt, ...(isLast ? {} : { error: INTERRUPTED }) };
    });
}

function detailsOf({ kind, payload }: StepRow): Partial<RunStage> {
  if (kind === 'model') {
    const { usage, reason, provider } = payloadOf<ModelStep>(payload);
    const { inputTokens = null, outputTokens = null } = usage ?? {};
    return { provider, inputTokens, outputTokens, ...(reason === undefined ? {} : { finishReason: reason }) };
  }
  if (kind !== 'action') return {};
  const { action, call, result } = payloadOf<ActionOutcome>(payload);
  const { error, text } = result ?? {};
  return {
    ...(action === undefined ? {} : { name: action }),
    arguments: shortened(JSON.stringify(call?.input) ?? '', MAX_TEXT),
    result: shortened(text ?? JSON.stringify(result) ?? '', MAX_TEXT),
    ...(result?.success === false ? { error: shortened(typeof error === 'string' ? error : 'The action failed.', MAX_TEXT) } : {}),
  };
}

function evaluatorStages({ kind, payload, at }: StepRow, attempt: number): RunStage[] {
  if (kind !== 'evaluators') return [];
  return evaluationsIn(payload).map(({ evaluator: name, error, startedAt = at, durationMs = null }) => ({
    ...{ kind: 'evaluator' as const, name, startedAt, durationMs, attempt },
    ...(error === undefined ? {} : { error: shortened(error, MAX_TEXT) }),
  }));
}

function keyOf({ kind, name, startedAt, attempt }: RunStage): string {
  return `${attempt} ${startedAt} ${kind} ${name}`;
}
