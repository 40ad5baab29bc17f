import { ReadyList } from './ready-list.js';

/** An element of a list. */
export interface ListItem {
  readonly id: string;
  /** Elements are in the order of these numbers, then of their ids. */
  readonly order: number;
  /** JSON of the element as clients receive it. */
  readonly text: Buffer;
  /** Agents that a caller must have all of, and at least one, to see the element when its key is limited to agents. */
  readonly agents: readonly string[];
}

/** How lists are read. */
export interface ListSource {
  /** The elements of an owner's list in pages. @throws AppError when there is no such owner */
  readonly pages: (owner: string) => AsyncIterable<readonly ListItem[]>;
  /** Those of an owner's elements that exist among some ids. */
  readonly some: (owner: string, ids: readonly string[]) => Promise<readonly ListItem[]>;
}

/** Limits in bytes. */
export interface ListLimits {
  readonly total: number;
  readonly perList: number;
}

const LIMITS: ListLimits = { total: 32 * 1024 * 1024, perList: 4 * 1024 * 1024 };
const MAX_LISTS = 2000;
const MAX_STALE = 1000;
/** Bodies that a list keeps for different sets of agents. */
const MAX_VARIANTS = 4;
/** Memory of an element or of an id beside its text. */
const OVERHEAD = 250;
const ID_BYTES = 60;

/**
 * Lists of many owners, kept as JSON text and bounded in bytes. The caller reports changes by id after their commit; the next reader has the
 * reported elements read again, and no others. The least recently read list makes way.
 */
export class ReadyLists {
  private readonly lists = new Map<string, KeptList>();
  private bytes = 0;

  constructor(
    private readonly source: ListSource,
    private readonly limits: ListLimits = LIMITS,
  ) {}

  /**
   * The list of an owner with all changes that were reported before this call.
   *
   * @param agents the agents to which the caller is limited; not limited when absent
   * @returns undefined when the list is too long to be kept
   * @throws AppError of `ListSource.pages`
   */
  async of(owner: string, agents?: ReadonlySet<string>): Promise<ReadyList | undefined> {
    const list = this.lists.get(owner) ?? new KeptList(owner, this.source, this.limits.perList);
    this.lists.delete(owner);
    this.lists.set(owner, list);
    try {
      if (list.isStale) await list.refresh();
    } catch (error) {
      this.drop(owner, list);
      throw error;
    }
    const ready = list.isTooLong ? undefined : list.seenBy(agents);
    this.account(owner, list);
    return ready;
  }

  /** Reports that an element was created, changed or deleted. @param owner of the element; any when absent */
  changed(id: string, owner?: string): void {
    for (const [each, list] of this.listsWith(id, owner)) {
      list.changed(id);
      // The list has no readers any more, or reading it anew costs less.
      if (list.staleCount > MAX_STALE) this.drop(each, list);
    }
  }

  /** Forgets the list of an owner that does not exist any more. */
  drop(owner: string, list = this.lists.get(owner)): void {
    if (!list || this.lists.get(owner) !== list) return;
    this.lists.delete(owner);
    this.bytes -= list.counted;
  }

  /** Forgets all lists; they are read anew. */
  dropAll(): void {
    for (const owner of [...this.lists.keys()]) this.drop(owner);
  }

  private listsWith(id: string, owner: string | undefined): (readonly [string, KeptList])[] {
    if (owner === undefined) return [...this.lists].filter(([, list]) => list.mayHave(id));
    const list = this.lists.get(owner);
    return list ? [[owner, list]] : [];
  }

  private account(owner: string, list: KeptList): void {
    if (this.lists.get(owner) !== list) return;
    this.bytes += list.bytes - list.counted;
    list.counted = list.bytes;
    for (const [oldest] of this.lists) {
      if (this.lists.size <= MAX_LISTS && this.bytes <= this.limits.total) break;
      this.drop(oldest);
    }
  }
}

class KeptList {
  /** Bytes that are part of the total. */
  counted = 0;
  isTooLong = false;
  private items: ListItem[] = [];
  private known = new Set<string>();
  private itemBytes = 0;
  private isLoaded = false;
  private readonly stale = new Set<string>();
  private refreshing: Promise<void> | undefined;
  /** By the agents to which the caller is limited. */
  private readonly variants = new Map<string, { readonly list: ReadyList; readonly bytes: number }>();

  constructor(
    private readonly owner: string,
    private readonly source: ListSource,
    private readonly maxBytes: number,
  ) {}

  get isStale(): boolean {
    return !this.isTooLong && (!this.isLoaded || this.stale.size > 0 || this.refreshing !== undefined);
  }

  get bytes(): number {
    // Each variant may be asked for in two dialects.
    return [...this.variants.values()].reduce((sum, { bytes }) => sum + 2 * bytes, this.itemBytes);
  }

  get staleCount(): number {
    return this.stale.size;
  }

  mayHave(id: string): boolean {
    return !this.isLoaded || this.refreshing !== undefined || this.known.has(id) || this.stale.has(id);
  }

  changed(id: string): void {
    if (!this.isTooLong) this.stale.add(id);
  }

  /** A refresh that is under way may have read an element before its change; one that starts now reads every reported change. */
  async refresh(): Promise<void> {
    if (this.refreshing) await this.refreshing;
    if (this.refreshing === undefined && this.isStale) {
      this.refreshing = this.read().finally(() => (this.refreshing = undefined));
    }
    await this.refreshing;
  }

  seenBy(agents?: ReadonlySet<string>): ReadyList {
    const key = agents ? [...agents].sort().join() : '';
    const found = this.variants.get(agents ? `=${key}` : '');
    if (found) return found.list;
    const seen = agents ? this.items.filter((item) => item.agents.length > 0 && item.agents.every((id) => agents.has(id))) : this.items;
    const list = new ReadyList(seen.map(({ text }) => text));
    const bytes = seen.reduce((sum, { text }) => sum + text.length + 1, key.length);
    for (const oldest of this.variants.keys()) if (this.variants.size >= MAX_VARIANTS) this.variants.delete(oldest);
    this.variants.set(agents ? `=${key}` : '', { list, bytes });
    return list;
  }

  private async read(): Promise<void> {
    if (!this.isLoaded) await this.load();
    // Changes that were reported during the load, too: it may have read their rows before.
    const ids = [...this.stale];
    this.stale.clear();
    if (ids.length === 0 || this.isTooLong) return;
    const found = await this.source.some(this.owner, ids).catch((error: unknown) => {
      for (const id of ids) this.stale.add(id);
      throw error;
    });
    const replaced = new Set(ids);
    const kept = this.items.filter(({ id }) => !replaced.has(id));
    this.set([...kept, ...found].sort((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1)));
  }

  private async load(): Promise<void> {
    const items: ListItem[] = [];
    let bytes = 0;
    for await (const page of this.source.pages(this.owner)) {
      items.push(...page);
      bytes += bytesOf(page);
      if (bytes > this.maxBytes) break;
    }
    this.isLoaded = true;
    this.set(items);
  }

  private set(items: ListItem[]): void {
    this.itemBytes = bytesOf(items);
    this.isTooLong = this.itemBytes > this.maxBytes;
    this.items = this.isTooLong ? [] : items;
    if (this.isTooLong) {
      this.itemBytes = 0;
      this.stale.clear();
    }
    this.known = new Set(this.items.map(({ id }) => id));
    this.variants.clear();
  }
}

function bytesOf(items: readonly ListItem[]): number {
  return items.reduce((sum, { text, agents }) => sum + text.length + OVERHEAD + ID_BYTES * agents.length, 0);
}
