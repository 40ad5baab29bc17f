import { Worker } from 'node:worker_threads';
import { AppError } from '../../core/errors/index.js';
import type { Cancel, Clock } from '../../core/clock/index.js';
import { EmbeddingModel } from './embedding-model.js';
import { embedByPieces } from './text-pieces.js';

const DIMENSION = 512;
const MOST_PER_BATCH = 32;
// The engine's memory grows with what one batch holds and never shrinks: the whole process took 240 MB with
// batches of short texts and 376 MB with 32 of 100 words.
const CHARACTERS_PER_BATCH = 4000;
const IDLE_MS = 5 * 60_000;

/** What the worker sends back for each batch: all vectors in one array, or why there are none. */
type Answer = { vectors: Float32Array } | { error: string };

/**
 * The built-in English sentence encoder (Universal Sentence Encoder Lite), in a worker thread that starts with
 * the first text, ends after five idle minutes and is replaced when it dies. It takes 140 to 210 MB while it runs
 * and never keeps the process alive.
 */
export class EmbeddedEncoder extends EmbeddingModel {
  override readonly provider = 'embedded';
  override readonly modelId = 'use-lite';
  override readonly dimension = DIMENSION;
  private readonly queue: Job[] = [];
  private worker: Worker | undefined;
  /** Whose pieces the worker has at the moment, in the order of the pieces. */
  private batch: readonly { job: Job; count: number }[] | undefined;
  private cancelIdle: Cancel | undefined;
  private answered = false;
  private closed = false;

  constructor(
    private readonly clock: Clock,
    private readonly script = new URL('./encoder.worker.js', import.meta.url),
  ) {
    super();
  }

  override get warm(): boolean {
    return this.answered;
  }

  override async embed(texts: readonly string[], options: { signal?: AbortSignal } = {}): Promise<Float32Array[]> {
    if (this.closed) throw stopping();
    options.signal?.throwIfAborted();
    return embedByPieces(
      texts,
      (pieces) => {
        const job = new Job(pieces, options.signal);
        this.queue.push(job);
        this.pump();
        return job.result;
      },
      () => DIMENSION,
    );
  }

  override async close(): Promise<void> {
    this.closed = true;
    this.failBatch(stopping());
    for (const job of this.queue.splice(0)) job.fail(stopping());
    await this.stop();
  }

  /** Gives the worker its next batch, if it has none; an idle worker gets a last date instead. */
  private pump(): void {
    if (this.batch !== undefined) return;
    const texts: string[] = [];
    const batch: { job: Job; count: number }[] = [];
    let room = CHARACTERS_PER_BATCH;
    while (texts.length < MOST_PER_BATCH && room > 0) {
      const job = this.queue.shift();
      if (job === undefined) break;
      const pieces = job.take(MOST_PER_BATCH - texts.length, room);
      if (pieces.length === 0) continue;
      for (const piece of pieces) room -= piece.length;
      texts.push(...pieces);
      batch.push({ job, count: pieces.length });
      // To the end of the line: a question is not to wait until a whole archive is embedded.
      if (job.hasMore) this.queue.push(job);
    }
    this.cancelIdle?.();
    if (texts.length === 0) {
      if (this.worker !== undefined) this.cancelIdle = this.clock.after(IDLE_MS, () => void this.stop());
      return;
    }
    this.batch = batch;
    try {
      this.worker ??= this.start();
      this.worker.postMessage(texts);
    } catch (error) {
      this.died(error);
    }
  }

  private start(): Worker {
    const worker = new Worker(this.script, { name: 'sentence-encoder' });
    let cause: unknown;
    worker.on('message', (answer: Answer) => this.answer(answer));
    worker.on('error', (error) => (cause = error));
    worker.on('exit', () => {
      if (this.worker === worker) this.died(cause);
    });
    worker.unref();
    return worker;
  }

  private answer(answer: Answer): void {
    if ('error' in answer) {
      this.failBatch(unavailable('could not embed the text', answer.error));
    } else {
      this.answered = true;
      const batch = this.batch ?? [];
      this.batch = undefined;
      let next = 0;
      for (const { job, count } of batch) {
        for (const end = next + count; next < end; next += 1) job.add(answer.vectors.subarray(next * DIMENSION, (next + 1) * DIMENSION));
      }
    }
    this.pump();
  }

  private died(cause: unknown): void {
    this.worker = undefined;
    this.answered = false;
    this.failBatch(unavailable('stopped unexpectedly', cause));
    this.pump();
  }

  private failBatch(error: AppError): void {
    const batch = this.batch ?? [];
    this.batch = undefined;
    for (const { job } of batch) job.fail(error);
  }

  private async stop(): Promise<void> {
    const worker = this.worker;
    this.worker = undefined;
    this.answered = false;
    this.cancelIdle?.();
    await worker?.terminate();
  }
}

/** The pieces of one call of `embed`; they may be spread over several batches. */
class Job {
  readonly result: Promise<Float32Array[]>;
  private readonly vectors: Float32Array[] = [];
  private taken = 0;
  private over = false;
  private resolve!: (vectors: Float32Array[]) => void;
  private reject!: (reason: unknown) => void;

  constructor(
    private readonly pieces: readonly string[],
    private readonly signal: AbortSignal | undefined,
  ) {
    this.result = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    signal?.addEventListener('abort', this.onAbort, { once: true });
  }

  get hasMore(): boolean {
    return !this.over && this.taken < this.pieces.length;
  }

  /** The next pieces, as many as fit and at least one; nothing when the caller gave up in the meantime. */
  take(most: number, characters: number): readonly string[] {
    if (this.over) return [];
    const first = this.taken;
    let room = characters;
    for (let piece = this.pieces[first]; piece !== undefined && this.taken < first + most && room > 0; piece = this.pieces[this.taken]) {
      this.taken += 1;
      room -= piece.length;
    }
    return this.pieces.slice(first, this.taken);
  }

  add(vector: Float32Array): void {
    this.vectors.push(vector);
    if (this.vectors.length === this.pieces.length) this.settle(() => this.resolve(this.vectors));
  }

  fail(reason: unknown): void {
    this.settle(() => this.reject(reason));
  }

  private readonly onAbort = (): void => this.fail(this.signal?.reason);

  private settle(how: () => void): void {
    if (this.over) return;
    this.over = true;
    this.signal?.removeEventListener('abort', this.onAbort);
    how();
  }
}

function stopping(): AppError {
  return new AppError('SERVER_STOPPING', 'The sentence encoder is shut down.');
}

function unavailable(what: string, cause: unknown): AppError {
  const hint = 'Try again; EMBEDDING_PROVIDER=none does without it.';
  return new AppError('MODEL_UNAVAILABLE', `The embedded sentence encoder ${what}.`, hint, cause);
}
