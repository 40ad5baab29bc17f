import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { anySignal, followerCount } from './any-signal.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
/** Waits for the next iteration of the event loop, because jobs of this one hold references. */
const collectGarbage = async (): Promise<void> => {
  await readFile(import.meta.filename);
  collect();
};

it("aborts with the first of its signals and that signal's reason", () => {
  const [own, other] = [new AbortController(), new AbortController()];
  const signal = anySignal(own.signal, other.signal);
  expect(signal.aborted).toBe(false);
  other.abort('the other');
  own.abort('the own');
  expect([signal.aborted, signal.reason]).toEqual([true, 'the other']);
  expect(anySignal(new AbortController().signal, own.signal).reason).toBe('the own');
  expect(anySignal(own.signal, own.signal)).toBe(own.signal);
});

it('notifies its listeners as long as its own signal exists, even without a reference to the new one', async () => {
  const [own, long] = [new AbortController(), new AbortController()];
  const heard: string[] = [];
  (() => anySignal(own.signal, long.signal).addEventListener('abort', () => heard.push('aborted')))();
  await collectGarbage();
  await collectGarbage();
  long.abort();
  expect([heard, own.signal.aborted]).toEqual([['aborted'], false]);
});

it('aborts as long as it exists itself', async () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const signal = anySignal(anySignal(new AbortController().signal, one.signal), other.signal);
  await collectGarbage();
  await collectGarbage();
  one.abort();
  expect(signal.aborted).toBe(true);
});

it('leaks nothing on a signal that outlives it', async () => {
  const long = new AbortController();
  for (let count = 0; count < 1000; count += 1) anySignal(new AbortController().signal, long.signal);
  expect(followerCount(long.signal)).toBe(1000);
  while (followerCount(long.signal) > 0) await collectGarbage();
});
