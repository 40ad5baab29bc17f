import { describe, expect, it } from '@jest/globals';
import type { ReadyJson } from '../http/index.js';
import { ReadyLists, type ListItem, type ListLimits } from './ready-lists.js';

const SIZE = 1000;

/** Owners with elements of about 1,250 bytes each, and a record of what was read of them. */
class Shelf {
  readonly read: string[] = [];
  readonly owners = new Map<string, ListItem[]>();
  readonly lists: ReadyLists;

  constructor(limits?: ListLimits) {
    this.lists = new ReadyLists(
      {
        pages: (owner) => this.pages(owner),
        some: async (owner, ids) => {
          this.read.push(`${owner}: ${ids.join()}`);
          return this.owners.get(owner)!.filter(({ id }) => ids.includes(id));
        },
      },
      limits,
    );
  }

  put(owner: string, id: string, text = id, agents: readonly string[] = []): void {
    const others = (this.owners.get(owner) ?? []).filter((each) => each.id !== id);
    const item = { id, order: Number(id), text: Buffer.from(JSON.stringify(text.padEnd(SIZE))), agents };
    this.owners.set(owner, [...others, item]);
    this.lists.changed(id, owner);
  }

  async texts(owner: string, agents?: ReadonlySet<string>): Promise<string[] | undefined> {
    const ready = (await this.lists.of(owner, agents))?.response<ReadyJson>('', '');
    return ready && (JSON.parse(ready.body.toString()) as string[]).map((text) => text.trim());
  }

  /** Two elements each. */
  private async *pages(owner: string): AsyncGenerator<readonly ListItem[], void> {
    this.read.push(owner);
    const items = this.owners.get(owner)!;
    for (let start = 0; start < items.length; start += 2) yield items.slice(start, start + 2);
  }
}

describe('lists kept as text', () => {
  it('re-read changed elements and no others', async () => {
    const shelf = new Shelf();
    for (const id of ['1', '2', '3']) shelf.put('a', id);
    expect(await shelf.texts('a')).toEqual(['1', '2', '3']);
    expect(await shelf.texts('a')).toEqual(['1', '2', '3']);
    shelf.put('a', '2', 'two');
    shelf.put('a', '0');
    expect(await shelf.texts('a')).toEqual(['0', '1', 'two', '3']);
    shelf.owners.set(
      'a',
      shelf.owners.get('a')!.filter(({ id }) => id !== '1'),
    );
    shelf.lists.changed('1');
    expect(await shelf.texts('a')).toEqual(['0', 'two', '3']);
    expect(shelf.read).toEqual(['a', 'a: 2,0', 'a: 1']);
  });

  it('re-read an element that changes during a read', async () => {
    const shelf = new Shelf();
    shelf.put('a', '1');
    const first = shelf.texts('a');
    shelf.put('a', '1', 'one');
    const second = shelf.texts('a');
    await first;
    expect(await second).toEqual(['one']);
  });

  it('stay within their byte limit by evicting the least recently read list', async () => {
    const shelf = new Shelf({ total: 9 * SIZE, perList: 4 * SIZE });
    for (const owner of ['a', 'b', 'c']) shelf.put(owner, '1');
    for (const owner of ['a', 'b', 'a', 'c', 'a', 'b']) expect(await shelf.texts(owner)).toEqual(['1']);
    expect(shelf.read).toEqual(['a', 'b', 'c', 'b']);
  });

  it('are not cached when they are too long', async () => {
    const shelf = new Shelf({ total: 100 * SIZE, perList: 4 * SIZE });
    for (const id of ['1', '2', '3']) shelf.put('a', id);
    expect(await shelf.texts('a')).toEqual(['1', '2', '3']);
    shelf.put('a', '4');
    expect(await shelf.texts('a')).toBeUndefined();
    for (const id of ['5', '6', '7', '8']) shelf.put('a', id);
    expect(await shelf.texts('a')).toBeUndefined();
    // Begun once, before it had become too long.
    expect(shelf.read).toEqual(['a', 'a: 4']);
    shelf.lists.drop('a');
    expect(await shelf.texts('a')).toBeUndefined();
  });

  it('show a restricted caller the elements of which it may see every agent', async () => {
    const shelf = new Shelf();
    shelf.put('a', '1', 'nobody', []);
    shelf.put('a', '2', 'one', ['x']);
    shelf.put('a', '3', 'both', ['x', 'y']);
    const [one, both] = [new Set(['x']), new Set(['y', 'x'])];
    expect([await shelf.texts('a', one), await shelf.texts('a', both), await shelf.texts('a', new Set())]).toEqual([
      ['one'],
      ['one', 'both'],
      [],
    ]);
    shelf.put('a', '2', 'other', ['y']);
    expect([await shelf.texts('a', one), await shelf.texts('a', both)]).toEqual([[], ['other', 'both']]);
  });

  it('are read again after a failure', async () => {
    const shelf = new Shelf();
    await expect(shelf.texts('a')).rejects.toThrow();
    shelf.put('a', '1');
    expect(await shelf.texts('a')).toEqual(['1']);
  });
});
