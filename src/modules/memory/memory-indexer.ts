import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock, type Cancel } from '../../core/clock/index.js';
import { UnitOfWork } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { Journal } from '../../core/journal/index.js';
import { Log } from '../../core/logging/index.js';
import { ModelRegistry, type EmbeddingModel } from '../../providers/models/index.js';
import { parseText } from './memory-json.js';
import { VectorsRepository, type PendingRow } from './repositories/vectors.repository.js';
import { VectorIndexes } from './vector-indexes.js';

const IDLE_BATCH = 32;
const QUIET_MS = 1000;
// A server that is never idle still embeds a few memories at a time.
const BUSY_BATCH = 8;
const BUSY_PAUSE_MS = 10_000;
const FIRST_RETRY_MS = 5000;
const MAX_RETRY_MS = 10 * 60_000;
const RESET_RANGE = 500;

/**
 * Embeds memories in the background: 32 at a time once the server has been idle for a second, 8 every ten seconds while it is busy.
 * The model is not loaded while no memory is pending. Vectors of a model other than the configured one are deleted first.
 */
@Injectable()
export class MemoryIndexer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stopping = new AbortController();
  private readonly log = new Log('memory');
  private stopListening: () => void = () => undefined;
  private cancel: Cancel | undefined;
  private running: Promise<void> | undefined;
  private lastActivity = 0;
  private waitingSince = 0;
  private failures = 0;
  private warmed = false;
  /** The memory id up to which vectors of other models have been deleted; undefined once none are left. */
  private resetTo: string | undefined = '';

  constructor(
    private readonly vectors: VectorsRepository,
    private readonly indexes: VectorIndexes,
    private readonly unitOfWork: UnitOfWork,
    private readonly models: ModelRegistry,
    private readonly journal: Journal,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.models.embeddings()) return;
    this.stopListening = this.journal.subscribe(({ type }) => {
      if (type === 'turn.started' || type === 'message.created') this.notifyActivity();
    });
    this.notifyActivity();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    this.stopListening();
    this.cancel?.();
    await this.running;
  }

  /** Reports activity: postpones indexing, and schedules it for when the server is idle. */
  notifyActivity(): void {
    this.lastActivity = this.clock.now();
    if (this.cancel || this.running) return;
    this.waitingSince = this.lastActivity;
    this.schedule();
  }

  private schedule(at = Math.min(this.lastActivity + QUIET_MS, this.waitingSince + BUSY_PAUSE_MS)): void {
    if (this.stopping.signal.aborted) return;
    this.cancel = this.clock.at(at, () => {
      this.cancel = undefined;
      this.onTimer();
    });
  }

  private onTimer(): void {
    const began = this.clock.now();
    const quiet = began >= this.lastActivity + QUIET_MS;
    if (!quiet && began < this.waitingSince + BUSY_PAUSE_MS) {
      this.schedule();
      return;
    }
    this.running = this.runStep(quiet ? IDLE_BATCH : BUSY_BATCH).then((outcome) => {
      this.running = undefined;
      this.waitingSince = this.clock.now();
      if (outcome === 'failed') this.schedule(this.waitingSince + Math.min(FIRST_RETRY_MS * 2 ** (this.failures - 1), MAX_RETRY_MS));
      else if (outcome === 'more' || this.lastActivity >= began) this.schedule();
    });
  }

  private async runStep(size: number): Promise<'more' | 'done' | 'failed'> {
    const model = this.models.embeddings();
    if (!model) return 'done';
    try {
      await this.warmUp(model);
      const more = (await this.resetRange(model)) || (await this.embedBatch(model, size));
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

  private async embedBatch(model: EmbeddingModel, size: number): Promise<boolean> {
    const rows = await this.vectors.pending(size);
    if (rows.length === 0) return false;
    const vectors = await this.vectorsOf(rows, model);
    const embedded = rows.flatMap((row) => {
      const vector = vectors.get(row.id);
      return vector ? [{ row, vector }] : [];
    });
    const outcomes = await this.unitOfWork.commit([
      ...rows.map(({ id, content }) => this.vectors.markEmbedded(id, content, model.modelId)),
      ...embedded.map(({ row, vector }) => this.vectors.storeVector(row.id, row.content, model.modelId, vector)),
    ]);
    for (const [index, { row, vector }] of embedded.entries()) {
      if (outcomes[rows.length + index]?.changed === 1) this.indexes.add(row.agent_id, row, vector);
    }
    return rows.length === size;
  }

  /**
   * An agent's own messages are left out when it recalls, so they get no vector; other searches find them by keywords. A blank text, or a text
   * that the model rejects while it accepts others, gets none either.
   */
  private async vectorsOf(rows: readonly PendingRow[], model: EmbeddingModel): Promise<Map<string, Float32Array>> {
    const texts = rows
      .filter((row) => !isOwnMessage(row))
      .map(({ id, content }) => ({ id, text: parseText(content) }))
      .filter(({ text }) => text.trim() !== '');
    const vectors =
      texts.length === 0
        ? []
        : await this.embedAll(
            texts.map(({ text }) => text),
            model,
          );
    return new Map(
      texts.flatMap(({ id }, index) => {
        const vector = vectors[index];
        return vector?.some((element) => element !== 0) ? [[id, vector] as const] : [];
      }),
    );
  }

  private async embedAll(texts: readonly string[], model: EmbeddingModel): Promise<(Float32Array | undefined)[]> {
    const signal = this.stopping.signal;
    try {
      return await model.embed(texts, { signal, background: true });
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
