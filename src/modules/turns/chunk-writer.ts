import type { Clock, Cancel } from '../../core/clock/index.js';
import type { Statement, UnitOfWork } from '../../core/database/index.js';
import { append, type JournalEntry, type TurnReference } from '../../core/journal/index.js';

// Long enough that an instant answer costs one commit, short enough that nobody sees it stutter.
const FLUSH_MS = 40;

/**
 * Appends a growing answer to the journal in small batches. An attempt that follows a crashed one repeats what that one
 * had written; only what differs or is new is appended, so a reader's stream continues as if nothing had happened.
 */
export class ChunkWriter {
  private received = '';
  private written: string;
  private index: number;
  private cancelFlush: Cancel | undefined;
  private flushing: Promise<void> = Promise.resolve();
  private failure: Error | undefined;

  /** @param earlier chunk entries of this reply that earlier attempts wrote, oldest first */
  constructor(
    private readonly turn: TurnReference,
    earlier: readonly JournalEntry[],
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

  /** Takes the next piece of the answer. @throws what an earlier flush failed with */
  add(delta: string): void {
    if (this.failure !== undefined) throw this.failure;
    this.received += delta;
    this.cancelFlush ??= this.clock.after(FLUSH_MS, () => {
      this.cancelFlush = undefined;
      this.flushing = this.flushing.then(() => this.flush());
    });
  }

  /** Begins another text in the place of this one: what readers saw of it is dropped with the first piece of the next. */
  beginAgain(): void {
    this.received = '';
  }

  /** The statements for what is not written yet, for the unit that stores the finished answer. Nothing may be added afterwards. */
  async finish(): Promise<Statement[]> {
    await this.stop();
    if (this.failure !== undefined) throw this.failure;
    return this.pending(true);
  }

  /** The statements for what is not written yet, for a unit whose entries come behind this text. More may be added afterwards. */
  async settle(): Promise<Statement[]> {
    await this.stop();
    if (this.failure !== undefined) throw this.failure;
    return this.pending(false);
  }

  /** Ends the writing without a last batch. */
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
      await this.unitOfWork.commit(statements);
    } catch (error) {
      this.failure = error as Error;
    }
  }

  private pending(complete: boolean): Statement[] {
    const repeats = this.received.startsWith(this.written);
    // As long as the new attempt has only begun to repeat the old text there is nothing to say.
    if (!repeats && !complete && this.written.startsWith(this.received)) return [];
    const text = repeats ? this.received.slice(this.written.length) : this.received;
    if (text === '' && repeats) return [];
    const chunk = { ...this.turn, text, index: this.index++, ...(repeats ? {} : { reset: true as const }) };
    this.written = this.received;
    return [append('message.chunk', this.turn.channelId, chunk, this.clock.now())];
  }
}
