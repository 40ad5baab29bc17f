/** Interactive items in a row while background work waits. */
const MAX_CONSECUTIVE_INTERACTIVE = 8;

/** Waiting items by caller, in the order of arrival; callers in the order of their turns. */
type Lane<T> = Map<string, T[]>;

export interface QueueOptions {
  /** Callers take turns, regardless of how many items each has waiting. */
  readonly caller: string;
  /** Background work runs after interactive items, but gets every ninth turn under constant load. */
  readonly background: boolean;
}

/**
 * A queue for an engine that processes one item at a time. Interactive items precede background work, and within each lane callers take
 * turns; the items of a caller stay in order. No caller starves: among n interactive callers, each waits for at most n - 1 others and one
 * turn of background work.
 */
export class FairQueue<T> {
  private readonly interactive: Lane<T> = new Map();
  private readonly background: Lane<T> = new Map();
  private consecutiveInteractive = 0;

  add(item: T, { caller, background }: QueueOptions): void {
    const lane = background ? this.background : this.interactive;
    const waiting = lane.get(caller);
    if (waiting) waiting.push(item);
    else lane.set(caller, [item]);
  }

  /** The next item; it stays in the queue until `advance`. */
  peek(): { readonly item: T; readonly background: boolean } | undefined {
    const lane = this.currentLane();
    const [waiting] = lane.values();
    return waiting?.[0] === undefined ? undefined : { item: waiting[0], background: lane === this.background };
  }

  /** Ends the turn of the item from `peek` and moves its caller to the end. @param done whether the item is complete */
  advance(done: boolean): void {
    const lane = this.currentLane();
    const [first] = lane;
    if (!first) return;
    const [caller, waiting] = first;
    lane.delete(caller);
    if (done) waiting.shift();
    if (waiting.length > 0) lane.set(caller, waiting);
    this.consecutiveInteractive = lane === this.interactive ? this.consecutiveInteractive + 1 : 0;
  }

  /** Removes and returns all items. */
  drain(): T[] {
    const all = [this.interactive, this.background].flatMap((lane) => [...lane.values()].flat());
    this.interactive.clear();
    this.background.clear();
    return all;
  }

  private currentLane(): Lane<T> {
    if (this.interactive.size === 0) return this.background;
    return this.consecutiveInteractive >= MAX_CONSECUTIVE_INTERACTIVE && this.background.size > 0 ? this.background : this.interactive;
  }
}
