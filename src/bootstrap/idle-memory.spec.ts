import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../test/support/fake-clock.js';
import { IdleMemory, type Heap } from './idle-memory.js';

const MB = 1024 * 1024;

describe('IdleMemory', () => {
  const heap = { busy: 0, bytes: 50 * MB, compactions: 0 };
  const watched: Heap = {
    utilization: () => heap.busy,
    size: () => heap.bytes,
    compact: () => {
      heap.compactions += 1;
      heap.bytes = 50 * MB;
    },
  };

  const clock = new FakeClock();

  /** Lets this much idle time pass, s, and tells how often the heap has been compacted so far. */
  async function pass(seconds: number): Promise<number> {
    for (let second = 0; second < seconds; second += 4) {
      clock.advance(4000);
      await Promise.resolve();
      await Promise.resolve();
      await Promise.resolve();
    }
    return heap.compactions;
  }

  it('compacts the heap after 12 s of idling, and at most once a minute after that', async () => {
    const memory = new IdleMemory(clock, watched);
    memory.start();
    Object.assign(heap, { busy: 0.5, bytes: 150 * MB });
    expect(await pass(40)).toBe(0);
    heap.busy = 0.01;
    expect(await pass(8)).toBe(0);
    expect(await pass(4)).toBe(1);
    heap.bytes += 20 * MB;
    expect(await pass(56)).toBe(1);
    expect(await pass(4)).toBe(2);
    heap.bytes += 5 * MB;
    expect(await pass(120)).toBe(2);
    await memory.stop();
    heap.bytes += 100 * MB;
    expect(await pass(120)).toBe(2);
  });
});
