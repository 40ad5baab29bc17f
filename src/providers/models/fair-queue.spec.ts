import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FairQueue } from './fair-queue.js';

interface Item {
  readonly name: string;
  readonly caller: string;
  readonly background: boolean;
  /** Turns that it takes. */
  left: number;
}

/** Callers in the order of their turns, until nothing is left or `most` turns are over. */
function turnsOf(queue: FairQueue<Item>, most = Infinity): Item[] {
  const turns: Item[] = [];
  for (let next = queue.peek(); next && turns.length < most; next = queue.peek()) {
    expect(next.background).toBe(next.item.background);
    turns.push(next.item);
    next.item.left -= 1;
    queue.advance(next.item.left === 0);
  }
  return turns;
}

function queueOf(items: readonly Item[]): FairQueue<Item> {
  const queue = new FairQueue<Item>();
  for (const item of items) queue.add(item, item);
  return queue;
}

const item = (name: string, caller: string, left = 1, background = false): Item => ({ name, caller, left, background });
const some = fc
  .array(fc.record({ caller: fc.constantFrom('a', 'b', 'c', 'd'), left: fc.integer({ min: 1, max: 12 }), background: fc.boolean() }), {
    maxLength: 40,
  })
  .map((items) => items.map((each, index) => ({ ...each, name: String(index) })));

describe('FairQueue', () => {
  it('is empty at first and after draining', () => {
    const queue = queueOf([item('1', 'a'), item('2', 'b', 1, true)]);
    expect(queue.drain().map(({ name }) => name)).toEqual(['1', '2']);
    expect([queue.peek(), new FairQueue<Item>().peek()]).toEqual([undefined, undefined]);
  });

  it('alternates between callers with any number of items', () => {
    const turns = turnsOf(queueOf([item('1', 'a', 3), item('2', 'a'), item('3', 'b'), item('4', 'c', 2)]));
    expect(turns.map(({ name }) => name)).toEqual(['1', '3', '4', '1', '4', '1', '2']);
  });

  it('puts questions before background work, which still gets every ninth turn', () => {
    const turns = turnsOf(queueOf([item('facts', 'a', 3, true), item('question', 'b', 20)]));
    expect(turns.map(({ background }) => (background ? 'B' : '.')).join('')).toBe('........B........B....B');
  });

  it('returns every item, in order per caller, and gives no caller two turns while another in its lane waits', () => {
    fc.assert(
      fc.property(some, (items) => {
        const wanted = items.reduce((sum, { left }) => sum + left, 0);
        const turns = turnsOf(queueOf(items.map((each) => ({ ...each }))));
        expect(turns).toHaveLength(wanted);
        for (const background of [false, true]) {
          const lane = turns.filter((each) => each.background === background);
          for (const caller of ['a', 'b', 'c', 'd']) {
            const names = lane.filter((each) => each.caller === caller).map(({ name }) => Number(name));
            expect(names).toEqual([...names].sort((one, other) => one - other));
            // From one turn of a caller to the next, every other caller has at most one.
            const places = lane.flatMap((each, index) => (each.caller === caller ? [index] : []));
            for (const [index, place] of places.entries()) {
              const between = lane.slice(place + 1, places[index + 1] ?? place + 1).map((each) => each.caller);
              expect(new Set(between).size).toBe(between.length);
            }
          }
        }
      }),
    );
  });

  it('lets every caller progress while others keep coming', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.boolean(), (others, background) => {
        const queue = queueOf(Array.from({ length: others }, (_, index) => item('other', `caller ${index}`, 1000)));
        queue.add(item('mine', 'me', 1, background), { caller: 'me', background });
        const turns = turnsOf(queue, others + 10).map(({ name }) => name);
        expect(turns.indexOf('mine')).toBeGreaterThanOrEqual(0);
        expect(turns.indexOf('mine')).toBeLessThanOrEqual(background ? 8 : others);
      }),
    );
  });
});
