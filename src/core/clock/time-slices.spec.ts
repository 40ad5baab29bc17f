import { AsyncLocalStorage } from 'node:async_hooks';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { TimeSlices } from './time-slices.js';
import { yieldToEventLoop } from './yield-to-event-loop.js';

describe('TimeSlices', () => {
  let now = 0;

  beforeEach(() => {
    now = 0;
  });

  /** Takes 1 ms at once, and 2 ms in continuations. */
  const task = (ran: number[], number: number) => (): void => {
    now += 1;
    void Promise.resolve()
      .then(() => (now += 1))
      .then(() => {
        now += 1;
        ran.push(number);
      });
  };

  it('runs as many tasks in an iteration of the event loop as fit in 10 ms, with what follows them', async () => {
    const slices = new TimeSlices(() => now);
    const ran: number[] = [];
    const counts: number[] = [];
    for (let number = 0; number < 10; number += 1) slices.add(task(ran, number));
    while (ran.length < 10) {
      await yieldToEventLoop();
      counts.push(ran.length);
    }
    expect(counts).toEqual([4, 8, 10]);
    expect(ran).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('counts the time of other work in the same iteration', async () => {
    const slices = new TimeSlices(() => now);
    const ran: number[] = [];
    slices.add(task(ran, 0));
    slices.add(() => void (now += 20));
    slices.add(task(ran, 1));
    await yieldToEventLoop();
    expect(ran).toEqual([0]);
    await yieldToEventLoop();
    expect(ran).toEqual([0, 1]);
  });

  it('resolves when all tasks have run', async () => {
    const slices = new TimeSlices(() => now);
    const ran: number[] = [];
    await slices.addAll([task(ran, 0), task(ran, 1), task(ran, 2), task(ran, 3), task(ran, 4)]);
    expect(ran).toEqual([0, 1, 2, 3, 4]);
  });

  it('runs each task in the asynchronous context of its caller, also after one that fails', async () => {
    const slices = new TimeSlices(() => now);
    const storage = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    storage.run('a', () => {
      slices.add(() => {
        throw new Error('on purpose');
      });
    });
    storage.run('b', () => slices.add(() => void seen.push(storage.getStore())));
    await slices.addAll([() => void seen.push(storage.getStore())]);
    expect(seen).toEqual(['b', undefined]);
  });
});
