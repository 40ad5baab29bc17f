import type { Clock } from '../../core/clock/index.js';
import { errorMessage } from '../../core/errors/index.js';
import { redactText } from '../../core/logging/index.js';
import type { Attributes, Span, Tracer } from '../../core/telemetry/index.js';
import { cutText } from '../../core/text/index.js';
import { TURN_METRICS } from './turns.metrics.js';

const MAX_ERROR_LENGTH = 500;

export type TracedKind = 'context' | 'recall' | 'provider' | 'offer' | 'model' | 'action' | 'storing';

/** A stage of an attempt at a turn. */
export interface TracedStage {
  readonly kind: TracedKind;
  /** Name of the provider, model or action; else that of the kind. */
  readonly name: string;
  /** Epoch ms. */
  readonly startedAt: number;
  /** Null while the stage runs. */
  durationMs: number | null;
  /** Milliseconds until the first text or call of a model. */
  firstTokenMs?: number;
  /** Of a model. */
  readonly provider?: string;
  /** Without known secrets, and shortened. */
  error?: string;
}

/** How a stage appears in traces. */
export interface StageSpan {
  readonly name: string;
  readonly attributes: Attributes;
}

/** The stages of an attempt that ended with, or before, a recorded step and after the step before. */
export interface TraceRecord {
  /** 1, 2, 3, … */
  readonly attempt: number;
  /** When the attempt started, epoch ms. */
  readonly startedAt: number;
  readonly stages: readonly TracedStage[];
}

/**
 * Measures the stages of one attempt at a turn, and makes spans of them when traces are on. The stages are recorded in the rows of the turn's steps, which are written anyway: a turn has no
 * statement for its trace alone.
 */
export class TurnTrace {
  private readonly startedAt: number;
  private unrecorded: TracedStage[] = [];
  private hasFirstToken = false;

  constructor(
    private readonly clock: Clock,
    private readonly tracer: Tracer,
    private readonly attempt: number,
  ) {
    this.startedAt = clock.now();
  }

  begin(kind: TracedKind, name: string = kind, provider?: string): TracedStage {
    const stage: TracedStage = {
      kind,
      name,
      startedAt: this.clock.now(),
      durationMs: null,
      ...(provider === undefined ? {} : { provider }),
    };
    this.unrecorded.push(stage);
    return stage;
  }

  end(stage: TracedStage, error?: unknown): void {
    stage.durationMs = this.clock.now() - stage.startedAt;
    TURN_METRICS.stages.with({ stage: stage.kind }).observe(stage.durationMs);
    if (error !== undefined) stage.error = cutText(redactText(errorMessage(error)), MAX_ERROR_LENGTH);
  }

  /**
   * Records the time to the first text or call of a model; later ones of a stage do not count.
   *
   * @param askedAt when the message was stored that the text replies to, epoch ms
   */
  heard(stage: TracedStage, askedAt: number | undefined): void {
    const isFirstToken = askedAt !== undefined && !this.hasFirstToken;
    if (stage.firstTokenMs !== undefined && !isFirstToken) return;
    const now = this.clock.now();
    if (stage.firstTokenMs === undefined) {
      stage.firstTokenMs = now - stage.startedAt;
      TURN_METRICS.modelFirstToken.with({ provider: stage.provider ?? '' }).observe(stage.firstTokenMs);
    }
    if (!isFirstToken) return;
    this.hasFirstToken = true;
    // What a later attempt begins with has been sent before.
    if (this.attempt === 1) TURN_METRICS.firstToken.observe(Math.max(now - askedAt, 0));
  }

  /** Runs `work` as a stage, within a span. @throws the errors of `work` */
  async time<T>(stage: TracedStage, work: (span: Span) => Promise<T>, span: StageSpan = spanOf(stage)): Promise<T> {
    try {
      const result = await this.tracer.span(span.name, span.attributes, work);
      this.end(stage);
      return result;
    } catch (error) {
      this.end(stage, error);
      throw error;
    }
  }

  /** The stages that are not recorded yet, running ones included. */
  get current(): TraceRecord {
    return { attempt: this.attempt, startedAt: this.startedAt, stages: [...this.unrecorded] };
  }

  /** Called after `record` has been stored. */
  recorded({ stages }: TraceRecord): void {
    const stored = new Set(stages);
    this.unrecorded = this.unrecorded.filter((stage) => !stored.has(stage));
  }
}

function spanOf({ kind, name }: TracedStage): StageSpan {
  return { name: `turn.${kind}`, attributes: name === kind ? {} : { 'parley.component': name } };
}
