/** Most turns in a row that questions get while background work waits. */
const QUESTIONS_IN_A_ROW = 8;

/** What each caller has waiting, in the order in which it came; callers in the order of their turns. */
type Lane<T> = Map<string, T[]>;

export interface Place {
  /** Callers take turns, however much each of them has waiting. */
  readonly caller: string;
  /** Background work: it comes behind questions, but gets every ninth turn when questions never end. */
  readonly background: boolean;
}

/**
 * A queue for an engine that does one thing at a time. Questions go before background work, and in both the callers take
 * turns; what one caller has waiting is done in its order. Every caller's turn comes: among n callers with questions after at
 * most n - 1 others, and the one turn of background work that may fall between them.
 */
export class FairQueue<T> {
  private readonly questions: Lane<T> = new Map();
  private readonly background: Lane<T> = new Map();
  private inARow = 0;

  add(item: T, { caller, background }: Place): void {
    const lane = background ? this.background : this.questions;
    const waiting = lane.get(caller);
    if (waiting) waiting.push(item);
    else lane.set(caller, [item]);
  }

  /** Whose turn it is; it stays in its place until `served`. */
  next(): { readonly item: T; readonly background: boolean } | undefined {
    const lane = this.turn();
    const [waiting] = lane.values();
    return waiting?.[0] === undefined ? undefined : { item: waiting[0], background: lane === this.background };
  }

  /** Ends the turn that `next` names: its caller goes behind all others. @param done true when nothing is left of the item */
  served(done: boolean): void {
    const lane = this.turn();
    const [first] = lane;
    if (!first) return;
    const [caller, waiting] = first;
    lane.delete(caller);
    if (done) waiting.shift();
    if (waiting.length > 0) lane.set(caller, waiting);
    this.inARow = lane === this.questions ? this.inARow + 1 : 0;
  }

  /** Takes everything out. */
  drain(): T[] {
    const all = [this.questions, this.background].flatMap((lane) => [...lane.values()].flat());
    this.questions.clear();
    this.background.clear();
    return all;
  }

  private turn(): Lane<T> {
    if (this.questions.size === 0) return this.background;
    return this.inARow >= QUESTIONS_IN_A_ROW && this.background.size > 0 ? this.background : this.questions;
  }
}
