import { afterEach, expect, it, jest } from '@jest/globals';
import { SystemClock } from './clock.js';

afterEach(() => void jest.useRealTimers());

it('after() ignores changes of the wall clock; at() follows them', () => {
  jest.useFakeTimers();
  const done: string[] = [];
  const clock = new SystemClock();
  clock.after(10_000, () => done.push('period'));
  clock.at(clock.now() + 60_000, () => done.push('instant'));
  jest.setSystemTime(Date.now() + 120_000);
  jest.advanceTimersByTime(2000);
  expect(done).toEqual(['instant']);
  jest.setSystemTime(Date.now() - 600_000);
  jest.advanceTimersByTime(8000);
  expect(done).toEqual(['instant', 'period']);
});

it('after() supports periods beyond the maximum of timers and can be cancelled', () => {
  jest.useFakeTimers();
  const done: string[] = [];
  const clock = new SystemClock();
  clock.after(2 ** 31 + 5000, () => done.push('long'));
  clock.after(2 ** 31 + 5000, () => done.push('cancelled'))();
  jest.advanceTimersByTime(2 ** 31);
  expect(done).toEqual([]);
  jest.advanceTimersByTime(5000);
  expect(done).toEqual(['long']);
});

it('runs the other tasks when one throws', () => {
  jest.useFakeTimers();
  const done: string[] = [];
  const clock = new SystemClock();
  const fail = (): void => {
    throw new Error('a fault of the tests');
  };
  clock.after(1000, fail);
  clock.at(clock.now() + 1000, fail);
  clock.after(1000, () => done.push('another'));
  jest.advanceTimersByTime(1000);
  expect(done).toEqual(['another']);
});
