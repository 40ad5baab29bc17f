import { Worker } from 'node:worker_threads';
import { AppError } from '../../core/errors/index.js';
import type { Cancel, Clock } from '../../core/clock/index.js';
import { EmbeddingModel, type EmbedOptions } from './embedding-model.js';
import { FairQueue, type Place } from './fair-queue.js';
import { embedByPieces } from './text-pieces.js';

const DIMENSION = 512;
// The model sees 128 tokens, some 440 characters of English, and its time grows with the tokens: 200 characters took 25 to 50 ms,
// whether as one text or as several. Nobody's question waits longer than that for what the worker is at.
const CHARACTERS_PER_BATCH = 200;
// What comes with every text of a batch, in characters.
const EACH_TEXT = 8;
// A message of any length is no more work than this.
const PIECES = { words: 100, characters: CHARACTERS_PER_BATCH - EACH_TEXT, most: 8 };
const NOBODY = '';
// A question is embedded for recall, for the answer, and as a part of the conversation when the next one comes. 512 vectors are 1 MB.
const MOST_KEPT = 512;
const IDLE_MS = 5 * 60_000;

/** What the worker sends back for each batch: all vectors in one array, or why there are none. */
type Answer = { vectors: Float32Array } | { error: string };

/**
 * The built-in English sentence encoder (Universal Sentence Encoder Lite), in a worker thread that starts with
 * the first text, ends after five idle minutes and is replaced when it dies. It takes 140 to 210 MB while it runs
 * and never keeps the process alive. It does one batch of at most 200 characters at a time: questions before background work, and
 * callers in turns (`FairQueue`). Of a text, the first 1,500 characters or so are embedded, in up to 8 pieces.
 */
export class EmbeddedEncoder extends EmbeddingModel {
  override readonly provider = 'embedded';
  override readonly modelId = 'use-lite';
  override readonly dimension = DIMENSION;
  private readonly queue = new FairQueue<Job>();
  /** Vectors of pieces in recent questions, the latest last. */
  private readonly kept = new Map<string, Float32Array>();
  private worker: Worker | undefined;
  /** Whose pieces the worker has at the moment, in the order of the pieces. */
  private batch: readonly Job[] | undefined;
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

  override async embed(texts: readonly string[], options: EmbedOptions = {}): Promise<Float32Array[]> {
    if (this.closed) throw stopping();
    const { signal, caller = NOBODY, background = false } = options;
    signal?.throwIfAborted();
    return embedByPieces(
      texts,
      PIECES,
      async (pieces) => {
        const fresh = pieces.filter((piece) => !this.kept.has(piece));
        const known = new Map(pieces.map((piece) => [piece, this.kept.get(piece)]));
        const vectors = fresh.length === 0 ? [] : await this.ask(fresh, { caller, background }, signal);
        fresh.forEach((piece, index) => known.set(piece, vectors[index]));
        if (!background) this.keep(known);
        return pieces.map((piece) => known.get(piece) ?? new Float32Array(DIMENSION));
      },
      () => DIMENSION,
    );
  }

  override async close(): Promise<void> {
    this.closed = true;
    this.failBatch(stopping());
    for (const job of this.queue.drain()) job.fail(stopping());
    await this.stop();
  }

  private ask(pieces: readonly string[], place: Place, signal: AbortSignal | undefined): Promise<Float32Array[]> {
    const job = new Job(pieces, signal);
    this.queue.add(job, place);
    this.pump();
    return job.result;
  }

  private keep(vectors: ReadonlyMap<string, Float32Array | undefined>): void {
    for (const [piece, vector] of vectors) {
      this.kept.delete(piece);
      if (vector) this.kept.set(piece, vector);
    }
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= MOST_KEPT) break;
      this.kept.delete(oldest);
    }
  }

  /** Gives the worker its next batch, if it has none; an idle worker gets a last date instead. */
  private pump(): void {
    if (this.batch !== undefined) return;
    const texts: string[] = [];
    const batch: Job[] = [];
    let room = CHARACTERS_PER_BATCH;
    let questions = false;
    for (let next = this.queue.next(); next; next = this.queue.next()) {
      const { item: job, background } = next;
      const piece = job.piece;
      if (piece !== undefined) {
        room -= piece.length + EACH_TEXT;
        // Background work does not make a question's batch longer.
        if (texts.length > 0 && (room < 0 || (background && questions))) break;
        questions ||= !background;
        texts.push(piece);
        job.taken();
        batch.push(job);
      }
      this.queue.served(job.piece === undefined);
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
      batch.forEach((job, index) => job.add(answer.vectors.slice(index * DIMENSION, (index + 1) * DIMENSION)));
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
    for (const job of batch) job.fail(error);
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
  private sent = 0;
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

  /** The next piece that the worker gets; undefined when there is none left, or the caller gave up. */
  get piece(): string | undefined {
    return this.over ? undefined : this.pieces[this.sent];
  }

  taken(): void {
    this.sent += 1;
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
