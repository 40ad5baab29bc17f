import { AppError } from '../../core/errors/index.js';
import type { Clock } from '../../core/clock/index.js';
import { mayBeEnglish } from '../../core/search/index.js';
import { WorkerError, WorkerPool } from '../../core/workers/index.js';
import { EmbeddingModel, type EmbedOptions } from './embedding-model.js';
import { FairQueue, type QueueOptions } from './fair-queue.js';
import { RecentVectors } from './recent-vectors.js';
import { embedInChunks, unlimited } from './text-chunks.js';

const DIMENSION = 512;
// The model reads 128 tokens, about 440 characters of English, and its time grows with the tokens: 200 characters took 25 to 50 ms, as one
// text or several. This bounds how long a question waits for the current batch.
const CHARACTERS_PER_BATCH = 200;
// Overhead of each text in a batch, characters.
const TEXT_OVERHEAD = 8;
// Bounds the work for a text of any length.
const CHUNK_LIMITS = { maxWords: 100, maxCharacters: CHARACTERS_PER_BATCH - TEXT_OVERHEAD, maxChunks: 8 };
const NO_CALLER = '';
// A question is embedded for recall, for the answer, and again as a memory; a message, as a memory of each agent of its channel.
// 512 vectors take 1 MB.
const MAX_RECENT = 512;
const IDLE_MS = 60_000;
// The first batch includes loading the model, which takes several seconds on a busy machine.
const BATCH_MS = 2 * 60_000;
// It used up to 41 MB; the model is outside of the heap.
const HEAP_MIB = 128;

/**
 * The built-in English sentence encoder (Universal Sentence Encoder Lite), in a worker thread that starts with the first text, stops after
 * an idle minute and is replaced after a crash. It uses 130 to 180 MB while it runs and does not keep the process alive. On Linux it has a
 * lower priority than the rest of the server. It processes one batch of up to 200 characters at a time: interactive requests before
 * background work, and callers in turn (`FairQueue`). It embeds the first 1,500 characters or so of a text, in up to 8 chunks, and equal
 * chunks once while they are among the last 512 questions or the last 512 background texts.
 */
export class EmbeddedEncoder extends EmbeddingModel {
  override readonly provider = 'embedded';
  override readonly modelId = 'use-lite';
  override readonly dimension = DIMENSION;
  override readonly pieceLength = CHUNK_LIMITS.maxCharacters;
  override readonly understands = mayBeEnglish;
  private readonly queue = new FairQueue<EmbedJob>();
  private readonly recentQuestions = new RecentVectors(MAX_RECENT);
  /** Apart from the questions, which a long backlog would push out before their answers need them again. */
  private readonly recentTexts = new RecentVectors(MAX_RECENT);
  private readonly pool: WorkerPool;
  /** The jobs of the current batch, in the order of its chunks. */
  private batch: readonly EmbedJob[] | undefined;
  private loaded = false;
  private readonly closing = new AbortController();

  constructor(clock: Clock, script = new URL('./encoder.worker.js', import.meta.url)) {
    super();
    // One thread with one batch at a time: the pool's queue stays empty.
    this.pool = new WorkerPool({
      name: 'sentence-encoder',
      script,
      maxThreads: 1,
      maxQueued: 1,
      idleMs: IDLE_MS,
      callMs: BATCH_MS,
      heapMiB: HEAP_MIB,
      clock,
    });
  }

  override get warm(): boolean {
    return this.loaded && this.pool.running > 0;
  }

  override async embed(texts: readonly string[], options: EmbedOptions = {}): Promise<Float32Array[]> {
    if (this.closing.signal.aborted) throw stopping();
    const { signal, caller = NO_CALLER, background = false, whole = false } = options;
    signal?.throwIfAborted();
    return embedInChunks(
      texts,
      whole ? unlimited(CHUNK_LIMITS) : CHUNK_LIMITS,
      async (pieces) => {
        const known = new Map(pieces.map((piece) => [piece, this.recentQuestions.get(piece) ?? this.recentTexts.get(piece)]));
        const fresh = [...known.keys()].filter((piece) => known.get(piece) === undefined);
        const vectors = fresh.length === 0 ? [] : await this.enqueue(fresh, { caller, background }, signal);
        fresh.forEach((piece, index) => known.set(piece, vectors[index]));
        return pieces.map((piece) => known.get(piece) ?? new Float32Array(DIMENSION));
      },
      () => DIMENSION,
    );
  }

  override async close(): Promise<void> {
    this.closing.abort();
    this.failBatch(stopping());
    for (const job of this.queue.drain()) job.fail(stopping());
    await this.pool.close();
  }

  private enqueue(pieces: readonly string[], place: QueueOptions, signal: AbortSignal | undefined): Promise<Float32Array[]> {
    const job = new EmbedJob(pieces, signal, place.background ? this.recentTexts : this.recentQuestions);
    this.queue.add(job, place);
    this.dispatch();
    return job.result;
  }

  /** Sends the next batch if the worker is idle. */
  private dispatch(): void {
    if (this.batch !== undefined) return;
    const texts: string[] = [];
    const batch: EmbedJob[] = [];
    let room = CHARACTERS_PER_BATCH;
    let questions = false;
    for (let next = this.queue.peek(); next; next = this.queue.peek()) {
      const { item: job, background } = next;
      const piece = job.nextChunk;
      if (piece !== undefined) {
        room -= piece.length + TEXT_OVERHEAD;
        // Background work must not delay an interactive batch.
        if (texts.length > 0 && (room < 0 || (background && questions))) break;
        questions ||= !background;
        texts.push(piece);
        job.advance();
        batch.push(job);
      }
      this.queue.advance(job.nextChunk === undefined);
    }
    if (texts.length > 0) void this.encode(texts, batch);
  }

  private async encode(texts: readonly string[], batch: readonly EmbedJob[]): Promise<void> {
    this.batch = batch;
    // A new thread has to load the model first.
    if (this.pool.running === 0) this.loaded = false;
    try {
      const vectors = await this.pool.run<Float32Array>(texts, { signal: this.closing.signal });
      this.loaded = true;
      this.batch = undefined;
      batch.forEach((job, index) => {
        const vector = vectors.slice(index * DIMENSION, (index + 1) * DIMENSION);
        // Also of a question that was given up: it is a memory soon.
        job.recent.add(texts[index] ?? '', vector);
        job.add(vector);
      });
    } catch (error) {
      const engineFailed = error instanceof WorkerError && error.kind === 'failed';
      this.failBatch(unavailable(engineFailed ? 'could not embed the text' : 'stopped unexpectedly', (error as Error).cause ?? error));
    }
    this.dispatch();
  }

  private failBatch(error: AppError): void {
    const batch = this.batch ?? [];
    this.batch = undefined;
    for (const job of batch) job.fail(error);
  }
}

/** The chunks of one `embed` call, which may span several batches. */
class EmbedJob {
  readonly result: Promise<Float32Array[]>;
  private readonly vectors: Float32Array[] = [];
  private position = 0;
  private settled = false;
  private resolve!: (vectors: Float32Array[]) => void;
  private reject!: (reason: unknown) => void;

  constructor(
    private readonly chunks: readonly string[],
    private readonly signal: AbortSignal | undefined,
    /** Where its vectors are kept. */
    readonly recent: RecentVectors,
  ) {
    this.result = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    signal?.addEventListener('abort', this.onAbort, { once: true });
  }

  /** The next chunk; undefined when none is left or the job has settled. */
  get nextChunk(): string | undefined {
    return this.settled ? undefined : this.chunks[this.position];
  }

  advance(): void {
    this.position += 1;
  }

  add(vector: Float32Array): void {
    this.vectors.push(vector);
    if (this.vectors.length === this.chunks.length) this.settle(() => this.resolve(this.vectors));
  }

  fail(reason: unknown): void {
    this.settle(() => this.reject(reason));
  }

  private readonly onAbort = (): void => this.fail(this.signal?.reason);

  private settle(how: () => void): void {
    if (this.settled) return;
    this.settled = true;
    this.signal?.removeEventListener('abort', this.onAbort);
    how();
  }
}

function stopping(): AppError {
  return new AppError('SERVER_STOPPING', 'The sentence encoder is shut down.');
}

function unavailable(what: string, cause: unknown): AppError {
  const hint = 'Try again, or disable embeddings with EMBEDDING_PROVIDER=none.';
  return new AppError('MODEL_UNAVAILABLE', `The embedded sentence encoder ${what}.`, hint, cause);
}
