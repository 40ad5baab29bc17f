import type { Clock, Cancel } from '../../../core/clock/index.js';
import type { Statement, UnitOfWork } from '../../../core/database/index.js';
import { append, type JournalEntry } from '../../../core/journal/index.js';
import type { TurnReference } from '../turns.events.js';

// Long enough that an instant reply costs one commit, short enough that streaming looks smooth.
const FLUSH_MS = 40;
// Well below the time that clients and proxies wait in silence.
const PROGRESS_MS = 10_000;

export interface ChunkWriterOptions {
  /** Fails when another process has taken the turn over, which then writes the chunks. */
  readonly held: Statement;
  /** Whether clients asked for the reasoning. */
  readonly tellsReasoning: boolean;
}

/**
 * Appends a streamed reply, and the reasoning before it, to the journal in small batches. An attempt after a crash may repeat text that an earlier attempt wrote; only
 * the difference is appended, so that readers see one continuous stream.
 */
export class ChunkWriter {
  private received = '';
  private written: string;
  private index: number;
  private thoughts = '';
  private thoughtIndex = 0;
  private hasProgress = false;
  /** When readers last heard of the turn, epoch ms. */
  private toldAt: number;
  private cancelFlush: Cancel | undefined;
  private flushing: Promise<void> = Promise.resolve();
  private failure: Error | undefined;

  /** @param earlier chunk entries that earlier attempts wrote for this reply, oldest first */
  constructor(
    private readonly turn: TurnReference,
    earlier: readonly JournalEntry[],
    private readonly options: ChunkWriterOptions,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {
    this.written = '';
    this.index = 0;
    this.toldAt = clock.now();
    for (const entry of earlier) {
      if (entry.type !== 'message.chunk') continue;
      this.written = entry.payload.reset ? entry.payload.text : this.written + entry.payload.text;
      this.index = entry.payload.index + 1;
    }
  }

  get text(): string {
    return this.received;
  }

  /** Adds the next delta of the reply. @throws the error of an earlier flush */
  add(delta: string): void {
    if (this.failure !== undefined) throw this.failure;
    this.received += delta;
    this.flushSoon();
  }

  /** Adds the next delta of the reasoning. Readers that did not ask for it hear at times that the turn goes on. @throws as `add` */
  think(delta: string): void {
    if (this.failure !== undefined) throw this.failure;
    if (this.options.tellsReasoning && delta !== '') this.thoughts += delta;
    else if (this.clock.now() - this.toldAt >= PROGRESS_MS) this.hasProgress = true;
    else return;
    this.flushSoon();
  }

  private flushSoon(): void {
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
   * The statements that write the rest of the text, for the transaction that stores the finished reply. No text may be added afterwards.
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

  /** Stops writing. @returns the statements that write the rest of a reply that failed; none when they cannot be written */
  async rest(): Promise<Statement[]> {
    await this.stop();
    return this.failure === undefined ? this.pending(this.received !== '') : [];
  }

  private async stop(): Promise<void> {
    this.cancelFlush?.();
    this.cancelFlush = undefined;
    await this.flushing;
  }

  private async flush(): Promise<void> {
    if (this.failure !== undefined) return;
    const statements = this.pending(false);
    if (statements.length === 0) return;
    try {
      await this.unitOfWork.commit([this.options.held, ...statements]);
    } catch (error) {
      this.failure = error as Error;
    }
  }

  private pending(complete: boolean): Statement[] {
    const statements = [...this.pendingThoughts(), ...this.pendingText(complete)];
    if (statements.length > 0) this.toldAt = this.clock.now();
    return statements;
  }

  private pendingThoughts(): Statement[] {
    const { turn, thoughts: text, hasProgress } = this;
    this.thoughts = '';
    this.hasProgress = false;
    const at = this.clock.now();
    if (text !== '') return [append('reasoning.chunk', turn.channelId, { ...turn, text, index: this.thoughtIndex++ }, at)];
    return hasProgress ? [append('turn.progress', turn.channelId, turn, at)] : [];
  }

  private pendingText(complete: boolean): Statement[] {
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
