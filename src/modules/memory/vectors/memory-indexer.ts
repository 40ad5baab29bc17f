import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock, PeriodicTask, type Cancel } from '../../../core/clock/index.js';
import { STORE, UnitOfWork, type Store } from '../../../core/database/index.js';
import { AppError } from '../../../core/errors/index.js';
import { newId } from '../../../core/ids/index.js';
import { Journal } from '../../../core/journal/index.js';
import { Leadership } from '../../../core/leadership/index.js';
import { Log } from '../../../core/logging/index.js';
import { Tracer } from '../../../core/telemetry/index.js';
import { embeddingsSpan, ModelRegistry, type EmbeddingModel } from '../../../providers/models/index.js';
import { replyChange } from '../../messaging/index.js';
import { audienceOf, DOCUMENTS } from '../recall/audience.js';
import { isPlainQuestion } from '../recall/questions.js';
import { parseText } from '../memory-json.js';
import { pieceLimits, splitIntoPieces, type TextPiece } from './text-pieces.js';
import { VectorIndexes } from './vector-indexes.js';
import { VectorsRepository, type PendingRow } from './vectors.repository.js';

const BATCH = 32;
const QUIET_MS = 1000;
/** The least rest between batches while the server is busy. */
const PAUSE_MS = 250;
/** The longest, whatever the wall clock says. */
const MAX_PAUSE_MS = 2000;
/** Pause between looks of the leader for memories that a crashed process left without vectors. */
const POLL_MS = 1000;
const CLAIM_MS = 2 * 60_000;
const PIECES_PER_COMMIT = 64;
const FIRST_RETRY_MS = 5000;
const MAX_RETRY_MS = 10 * 60_000;
const RESET_RANGE = 500;

/**
 * Embeds memories in the background, in pieces, 32 memories at a time. While the server is busy, it rests after each batch for as long as the
 * batch took, between 250 ms and 2 s. Of several processes on PostgreSQL, one embeds a memory: it claims the memory first. Each embeds when it
 * has stored messages, and the leader whatever is left. The model is not loaded while no memory is pending. Vectors of a model other than the configured one are deleted first.
 */
@Injectable()
export class MemoryIndexer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stopping = new AbortController();
  private readonly log = new Log('memory');
  /** After a crash, the next process of a file goes on with the claims of the last. */
  private readonly owner: string;
  private readonly poll: PeriodicTask;
  private stopListening: () => void = () => undefined;
  private cancel: Cancel | undefined;
  private running: Promise<void> | undefined;
  private lastActivity = 0;
  private failures = 0;
  private warmed = false;
  /** The memory id up to which vectors of other models have been deleted; undefined once none are left. */
  private resetTo: string | undefined = '';

  constructor(
    private readonly vectors: VectorsRepository,
    private readonly indexes: VectorIndexes,
    private readonly unitOfWork: UnitOfWork,
    private readonly models: ModelRegistry,
    private readonly tracer: Tracer,
    private readonly journal: Journal,
    private readonly clock: Clock,
    private readonly leadership: Leadership,
    @Inject(STORE) store: Store,
  ) {
    this.owner = store.readSource.options.type === 'postgres' ? newId() : 'local';
    this.poll = new PeriodicTask(
      clock,
      POLL_MS,
      () => this.lookUp(),
      // The step meets the same failure, and logs it.
      () => this.begin(),
    );
  }

  onApplicationBootstrap(): void {
    if (!this.models.embeddings()) return;
    this.stopListening = this.journal.subscribe((entry) => {
      const kind = replyChange(entry)?.kind;
      if (kind === 'begun' || kind === 'stored') this.notifyActivity();
    });
    this.schedule(0);
    if (this.leadership.isShared) this.poll.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    this.stopListening();
    this.cancel?.();
    await this.poll.stop();
    await this.running;
  }

  /** Reports that memories may wait for vectors. */
  notifyActivity(): void {
    this.lastActivity = this.clock.now();
    if (!this.cancel && !this.running) this.schedule(PAUSE_MS);
  }

  private async lookUp(): Promise<void> {
    if (this.leadership.isLeader && (await this.vectors.hasPending())) this.begin();
  }

  private begin(): void {
    if (!this.cancel && !this.running) this.schedule(0);
  }

  private schedule(delayMs: number): void {
    if (this.stopping.signal.aborted) return;
    this.cancel = this.clock.after(delayMs, () => {
      this.cancel = undefined;
      this.onTimer();
    });
  }

  private onTimer(): void {
    const began = this.clock.now();
    this.running = this.runStep().then((outcome) => {
      this.running = undefined;
      const now = this.clock.now();
      if (outcome === 'failed') this.schedule(Math.min(FIRST_RETRY_MS * 2 ** (this.failures - 1), MAX_RETRY_MS));
      else if (outcome === 'more' && now >= this.lastActivity + QUIET_MS) this.schedule(0);
      else if (outcome === 'more' || this.lastActivity >= began) this.schedule(Math.min(Math.max(PAUSE_MS, now - began), MAX_PAUSE_MS));
    });
  }

  private async runStep(): Promise<'more' | 'done' | 'failed'> {
    const model = this.models.embeddings();
    if (!model) return 'done';
    try {
      await this.warmUp(model);
      const more = (await this.resetRange(model)) || (await this.embedBatch(model));
      if (this.failures > 0) this.log.info('memories are embedded again');
      this.failures = 0;
      return more ? 'more' : 'done';
    } catch (error) {
      if (this.stopping.signal.aborted) return 'done';
      this.failures += 1;
      if (this.failures === 1) this.log.warn('memories could not be embedded; retrying', { error: String(error) });
      return 'failed';
    }
  }

  /** Starts the encoder early if any memory has a vector, so that the first query does not wait for it. */
  private async warmUp(model: EmbeddingModel): Promise<void> {
    if (this.warmed) return;
    this.warmed = true;
    if (model.warm || (await this.vectors.lastModel()) === undefined) return;
    await model.embed(['warm'], { signal: this.stopping.signal, background: true });
  }

  /** Processes ids in order and before anything is embedded, so that the model of the last vector tells whether the reset is complete. */
  private async resetRange({ modelId }: EmbeddingModel): Promise<boolean> {
    if (this.resetTo === '') {
      const last = await this.vectors.lastModel();
      if (last === undefined || last === modelId) this.resetTo = undefined;
      else this.log.info('the embedding model has changed; all memories are embedded again', { from: last, to: modelId });
    }
    if (this.resetTo === undefined) return false;
    const { end, last } = await this.vectors.rangeEnd(this.resetTo, RESET_RANGE);
    await this.unitOfWork.commit(this.vectors.reset(this.resetTo, end, modelId));
    this.resetTo = last ? undefined : end;
    return true;
  }

  private async embedBatch(model: EmbeddingModel): Promise<boolean> {
    if (!(await this.vectors.hasPending())) return false;
    const now = this.clock.now();
    const [outcome] = await this.unitOfWork.commit([this.vectors.claim(this.owner, BATCH, now, now + CLAIM_MS)]);
    const rows = (outcome?.rows ?? []) as unknown as PendingRow[];
    if (rows.length === 0) return false;
    let batch: PiecesOfRow[] = [];
    for (const [index, row] of rows.entries()) {
      batch.push({ row, pieces: piecesOf(row, model) });
      const isLast = index === rows.length - 1;
      if (!isLast && batch.reduce((sum, { pieces }) => sum + pieces.length, 0) < PIECES_PER_COMMIT) continue;
      await this.embedAndStore(batch, model, isLast);
      batch = [];
    }
    return rows.length >= BATCH;
  }

  private async embedAndStore(batch: readonly PiecesOfRow[], model: EmbeddingModel, isLast: boolean): Promise<void> {
    const texts = batch.flatMap(({ pieces }) => pieces.map(({ text }) => text));
    const vectors = texts.length === 0 ? [] : await this.embedAll(texts, model);
    let next = 0;
    const embedded = batch.map(({ row, pieces }) => {
      const own = vectors.slice(next, (next += pieces.length));
      const found = own.flatMap((vector, index) =>
        vector?.some((element) => element !== 0) ? [[pieces[index]?.number ?? 0, vector] as const] : [],
      );
      return { row, vectors: new Map(found) };
    });
    const stored = embedded.filter(({ vectors }) => vectors.size > 0);
    const outcomes = await this.unitOfWork.commit([
      ...embedded.map(({ row }) => this.vectors.markEmbedded(row.id, row.content, model.modelId)),
      ...stored.map(({ row, vectors }) => this.vectors.storeVectors(row, model.modelId, vectors)),
      ...(isLast ? [this.vectors.release(this.owner)] : []),
    ]);
    for (const [index, { row, vectors }] of stored.entries()) {
      if ((outcomes[embedded.length + index]?.changed ?? 0) === 0) continue;
      this.indexes.add(row.agent_id, row.id, audienceOf(row.agent_id, row), vectors);
    }
  }

  private async embedAll(texts: readonly string[], model: EmbeddingModel): Promise<(Float32Array | undefined)[]> {
    const signal = this.stopping.signal;
    try {
      const { name, attributes } = embeddingsSpan(model);
      const embedding = (): Promise<Float32Array[]> => model.embed(texts, { signal, background: true });
      return await this.tracer.span(name, attributes, embedding, { kind: 'client' });
    } catch (error) {
      if (!isRejection(error)) throw error;
      const vectors: (Float32Array | undefined)[] = [];
      for (const text of texts) vectors.push(await embedUnlessRejected(text, model, signal));
      // A model that rejects all texts is misconfigured: keep the texts pending.
      if (vectors.every((vector) => vector === undefined)) throw error;
      return vectors;
    }
  }
}

interface PiecesOfRow {
  readonly row: PendingRow;
  readonly pieces: readonly TextPiece[];
}

/**
 * The pieces of a memory that get vectors. Those of an agent's own messages do not, because they are left out when it recalls; other searches
 * find them by words. Nor do plain questions, which state nothing.
 */
function piecesOf(row: PendingRow, { pieceLength }: EmbeddingModel): TextPiece[] {
  if (isOwnMessage(row)) return [];
  const isDocument = audienceOf(row.agent_id, row) === DOCUMENTS;
  const pieces = splitIntoPieces(parseText(row.content), pieceLimits(pieceLength, isDocument));
  return pieces.filter(({ text }) => isDocument || !isPlainQuestion(text));
}

/** Whether the agent said this in a conversation. */
function isOwnMessage({ type, agent_id: agentId, entity_id: authorId, room_id: roomId }: PendingRow): boolean {
  return type === 'messages' && authorId === agentId && roomId !== agentId;
}

async function embedUnlessRejected(text: string, model: EmbeddingModel, signal: AbortSignal): Promise<Float32Array | undefined> {
  try {
    const [vector] = await model.embed([text], { signal, background: true });
    return vector;
  } catch (error) {
    if (isRejection(error)) return undefined;
    throw error;
  }
}

function isRejection(error: unknown): boolean {
  return error instanceof AppError && error.code === 'MODEL_REJECTED';
}
