import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { anySignal, followerCount } from './any-signal.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
/** A turn of the event loop later: what is held by a job of this one is let go of. */
const collectGarbage = async (): Promise<void> => {
  await readFile(import.meta.filename);
  collect();
};

it('aborts with the first of its signals, and with its reason', () => {
  const [own, other] = [new AbortController(), new AbortController()];
  const signal = anySignal(own.signal, other.signal);
  expect(signal.aborted).toBe(false);
  other.abort('the other');
  own.abort('the own');
  expect([signal.aborted, signal.reason]).toEqual([true, 'the other']);
  expect(anySignal(new AbortController().signal, own.signal).reason).toBe('the own');
  expect(anySignal(own.signal, own.signal)).toBe(own.signal);
});

it('is heard as long as its own signal is there, also when nobody holds the new one', async () => {
  const [own, long] = [new AbortController(), new AbortController()];
  const heard: string[] = [];
  (() => anySignal(own.signal, long.signal).addEventListener('abort', () => heard.push('aborted')))();
  await collectGarbage();
  await collectGarbage();
  long.abort();
  expect([heard, own.signal.aborted]).toEqual([['aborted'], false]);
});

it('aborts as long as it is there itself', async () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const signal = anySignal(anySignal(new AbortController().signal, one.signal), other.signal);
  await collectGarbage();
  await collectGarbage();
  one.abort();
  expect(signal.aborted).toBe(true);
});

it('leaves nothing behind at a signal that outlives it', async () => {
  const long = new AbortController();
  for (let count = 0; count < 1000; count += 1) anySignal(new AbortController().signal, long.signal);
  expect(followerCount(long.signal)).toBe(1000);
  while (followerCount(long.signal) > 0) await collectGarbage();
});
