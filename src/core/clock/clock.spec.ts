import { afterEach, expect, it, jest } from '@jest/globals';
import { SystemClock } from './clock.js';

afterEach(() => void jest.useRealTimers());

it('a period is as long as it is, however the wall clock is moved meanwhile', () => {
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

it('a period longer than a timer can be is waited for to its end, and can be taken back', () => {
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

it('goes on when what was to be done at a time fails', () => {
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
