import type { Clock, Cancel } from '../../core/clock/index.js';
import type { Statement, UnitOfWork } from '../../core/database/index.js';
import { append, type JournalEntry } from '../../core/journal/index.js';
import type { TurnReference } from './turns.events.js';

// Long enough that an instant answer costs one commit, short enough that streaming looks smooth.
const FLUSH_MS = 40;

/**
 * Appends a streamed answer to the journal in small batches. An attempt after a crash may repeat text that an earlier attempt wrote; only
 * the difference is appended, so that readers see one continuous stream.
 */
export class ChunkWriter {
  private received = '';
  private written: string;
  private index: number;
  private cancelFlush: Cancel | undefined;
  private flushing: Promise<void> = Promise.resolve();
  private failure: Error | undefined;

  /**
   * @param earlier chunk entries that earlier attempts wrote for this reply, oldest first
   * @param held    fails when another process has taken the turn over, which then writes the chunks
   */
  constructor(
    private readonly turn: TurnReference,
    earlier: readonly JournalEntry[],
    private readonly held: Statement,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {
    this.written = '';
    this.index = 0;
    for (const entry of earlier) {
      if (entry.type !== 'message.chunk') continue;
      this.written = entry.payload.reset ? entry.payload.text : this.written + entry.payload.text;
      this.index = entry.payload.index + 1;
    }
  }

  get text(): string {
    return this.received;
  }

  /** Adds the next delta of the answer. @throws the error of an earlier flush */
  add(delta: string): void {
    if (this.failure !== undefined) throw this.failure;
    this.received += delta;
    this.cancelFlush ??= this.clock.after(FLUSH_MS, () => {
      this.cancelFlush = undefined;
      this.flushing = this.flushing.then(() => this.flush());
    });
  }

  /** Starts a new text. The first chunk of it tells readers to discard the previous text. */
  restart(): void {
    this.received = '';
  }

  /**
   * The statements that write the rest of the text, for the transaction that stores the finished answer. No text may be added afterwards.
   */
  async finish(): Promise<Statement[]> {
    await this.stop();
    if (this.failure !== undefined) throw this.failure;
    return this.pending(true);
  }

  /** The statements that write the pending text, for a transaction whose entries follow it. More text may be added afterwards. */
  async takePending(): Promise<Statement[]> {
    await this.stop();
    if (this.failure !== undefined) throw this.failure;
    return this.pending(false);
  }

  /** Stops writing and discards the pending text. */
  async stop(): Promise<void> {
    this.cancelFlush?.();
    this.cancelFlush = undefined;
    await this.flushing;
  }

  private async flush(): Promise<void> {
    if (this.failure !== undefined) return;
    const statements = this.pending(false);
    if (statements.length === 0) return;
    try {
      await this.unitOfWork.commit([this.held, ...statements]);
    } catch (error) {
      this.failure = error as Error;
    }
  }

  private pending(complete: boolean): Statement[] {
    const repeats = this.received.startsWith(this.written);
    // The new attempt still repeats the earlier text: nothing to append yet.
    if (!repeats && !complete && this.written.startsWith(this.received)) return [];
    const text = repeats ? this.received.slice(this.written.length) : this.received;
    if (text === '' && repeats) return [];
    const chunk = { ...this.turn, text, index: this.index++, ...(repeats ? {} : { reset: true as const }) };
    this.written = this.received;
    return [append('message.chunk', this.turn.channelId, chunk, this.clock.now())];
  }
}
