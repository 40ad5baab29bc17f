import { iterate, type Polled } from '../../../core/iteration/index.js';
import type { ChannelItems, JournalItem } from '../../../core/journal/index.js';
import type { Progress, ReplyEvent, ReplyGap } from './reply-progress.js';
import type { RunningText } from './running-text.js';

export interface ReplyEventsOptions {
  /** Called when something happens to any reply of the channel. */
  readonly onProgress?: () => void;
  /** Whether the first item has to be the message's own event. */
  readonly beginsWithMessage?: boolean;
  /** The error when the items end before the last reply; by default, the events end too. */
  readonly unfinished?: () => unknown;
}

/** What happens to the replies to a message, until the last pending reply has completed. */
export class ReplyEvents implements Polled<ReplyEvent | ReplyGap>, AsyncIterable<ReplyEvent | ReplyGap> {
  /** With `beginsWithMessage`: whether the message's own event has been deleted, which ends the events. */
  isIncomplete = false;
  private isComplete = false;
  private readonly ready: (ReplyEvent | ReplyGap)[] = [];

  constructor(
    private readonly progress: Progress,
    private readonly text: RunningText,
    private readonly source: ChannelItems,
    private readonly options: ReplyEventsOptions = {},
  ) {}

  poll(): ReplyEvent | ReplyGap | undefined {
    while (!this.isComplete && !this.isIncomplete) {
      const event = this.ready.shift();
      if (event) {
        this.isComplete = event.last;
        return event;
      }
      const item = this.source.poll();
      if (!item) return undefined;
      this.take(item);
    }
    return undefined;
  }

  async wait(): Promise<void> {
    const { unfinished } = this.options;
    if (this.hasEnded) return;
    if (this.source.hasEnded && unfinished) throw unfinished();
    await this.source.wait();
  }

  get hasEnded(): boolean {
    return this.isComplete || this.isIncomplete || (this.source.hasEnded && this.options.unfinished === undefined);
  }

  [Symbol.asyncIterator](): AsyncGenerator<ReplyEvent | ReplyGap, void> {
    return iterate(this);
  }

  private take(item: JournalItem): void {
    const { onProgress, beginsWithMessage = false } = this.options;
    const told = item.type === 'gap' ? [{ entry: item, cursor: undefined }] : this.text.next(item);
    // A part of the reply to an earlier message, or one that is known.
    if (told.length === 0) onProgress?.();
    for (const { entry, cursor } of told) {
      const event = this.progress.next(entry, onProgress, cursor);
      if (event) this.ready.push(event);
      if (beginsWithMessage && !this.progress.hasBegun) this.isIncomplete = true;
    }
  }
}
