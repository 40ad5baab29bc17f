import { RotatingQueue } from './rotating-queue.js';

type State = 'waiting' | 'running' | 'deferred';

interface Entry<J> {
  readonly id: string;
  job: J;
  state: State;
}

/**
 * The jobs known to this process, by group and in order; running jobs come first. This is a cache: a claim in the database decides, and a
 * lookup finds missing jobs.
 */
export class JobGroups<J> {
  private readonly groups = new Map<string, Entry<J>[]>();
  /** Groups with a job that could run if the process had a free slot. */
  private readonly queue = new RotatingQueue<string>();
  /** When they began to wait, epoch ms; the oldest is first. */
  private readonly waitingSince = new Map<string, number>();

  /**
   * @param groupConcurrency jobs of a group that run at a time
   * @param ordered whether a job that cannot run blocks those after it
   * @param onGroup called when the first job of a group is added, and when the last is removed
   */
  constructor(
    private readonly groupConcurrency: number,
    private readonly ordered: boolean,
    private readonly compare: (a: J, b: J) => number,
    private readonly onGroup: (group: string, exists: boolean) => void = () => undefined,
  ) {}

  /** Adds a job. @returns false when it is already known */
  add(group: string, id: string, job: J, state: State = 'waiting'): boolean {
    const entries = this.groups.get(group) ?? [];
    if (entries.some((entry) => entry.id === id)) return false;
    if (entries.length === 0) this.onGroup(group, true);
    this.groups.set(group, entries);
    this.place(entries, { id, job, state });
    return true;
  }

  /**
   * Adds a claimable job or replaces its known state. Deferred jobs before it are removed: they have ended, or other processes run them, of
   * which this one may have heard nothing.
   */
  refresh(group: string, id: string, job: J): void {
    this.removeAll(group, (other, state) => state === 'deferred' && this.compare(other, job) < 0);
    if (this.add(group, id, job)) return;
    const known = this.groups.get(group)?.find((entry) => entry.id === id);
    if (known) Object.assign(known, { job, state: 'waiting' });
  }

  /** The next job of a group, marked as running; undefined when the group is busy, empty, or blocked by its first job. */
  take(group: string): J | undefined {
    const next = this.nextOf(group);
    if (next) next.state = 'running';
    return next?.job;
  }

  /** A group waits for a free slot, if it has a job that could run. @param shares those who share the slots with others */
  wait(group: string, now: number, sharesOf: (job: J) => readonly string[]): void {
    const next = this.nextOf(group);
    if (!next || this.waitingSince.has(group)) return;
    this.waitingSince.set(group, now);
    this.queue.add(group, sharesOf(next.job));
  }

  /** The group that gets the next free slot. */
  takeWaiting(): string | undefined {
    const group = this.queue.take();
    if (group !== undefined) this.waitingSince.delete(group);
    return group;
  }

  /** The groups that wait for a free slot, and when the oldest began to wait, epoch ms. */
  get waiting(): { readonly groups: number; readonly since: number | undefined } {
    const [since] = this.waitingSince.values();
    return { groups: this.waitingSince.size, since };
  }

  /** Whether a new job could run immediately. */
  isFree(group: string): boolean {
    const entries = this.groups.get(group) ?? [];
    return entries.length < this.groupConcurrency;
  }

  /** Defers a job that cannot run here now. In an ordered group it keeps its place until it is removed, or it or a later one is refreshed. */
  defer(group: string, id: string): void {
    const entries = this.groups.get(group) ?? [];
    const known = entries.find((entry) => entry.id === id);
    if (known && this.ordered) {
      // While it seemed to run it stood first, and jobs before it may have been found meanwhile.
      entries.splice(entries.indexOf(known), 1);
      known.state = 'deferred';
      this.place(entries, known);
    } else {
      this.remove(group, id);
    }
  }

  /** Lets the deferred jobs of a group run. */
  resume(group: string): void {
    for (const entry of this.groups.get(group) ?? []) if (entry.state === 'deferred') entry.state = 'waiting';
  }

  /** Removes a job. */
  remove(group: string, id: string): void {
    const entries = this.groups.get(group);
    const at = entries?.findIndex((entry) => entry.id === id) ?? -1;
    if (!entries || at === -1) return;
    entries.splice(at, 1);
    if (entries.length > 0) return;
    this.onGroup(group, false);
    this.groups.delete(group);
    this.waitingSince.delete(group);
  }

  /** Removes the matching jobs of a group. @returns their ids */
  removeAll(group: string, matches: (job: J, state: State) => boolean): string[] {
    const ids = (this.groups.get(group) ?? []).filter(({ job, state }) => matches(job, state)).map(({ id }) => id);
    for (const id of ids) this.remove(group, id);
    return ids;
  }

  private nextOf(group: string): Entry<J> | undefined {
    const entries = this.groups.get(group) ?? [];
    const running = this.runningIn(entries);
    const next = entries[running];
    return running < this.groupConcurrency && next?.state === 'waiting' ? next : undefined;
  }

  private place(entries: Entry<J>[], entry: Entry<J>): void {
    const { job, state } = entry;
    const at = state === 'running' ? 0 : entries.findIndex((other) => other.state !== 'running' && this.compare(other.job, job) > 0);
    entries.splice(at === -1 ? entries.length : at, 0, entry);
  }

  private runningIn(entries: readonly Entry<J>[]): number {
    const first = entries.findIndex(({ state }) => state !== 'running');
    return first === -1 ? entries.length : first;
  }
}
