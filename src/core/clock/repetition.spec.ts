import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { Repetition } from './repetition.js';

describe('Repetition', () => {
  let clock: FakeClock;
  let begun: PromiseWithResolvers[];
  let failures: unknown[];
  let wasOver: (() => boolean) | undefined;
  let repetition: Repetition;

  beforeEach(() => {
    clock = new FakeClock();
    begun = [];
    failures = [];
    repetition = new Repetition(
      clock,
      1000,
      (over) => {
        wasOver = over;
        const work = withResolvers();
        begun.push(work);
        return work.promise;
      },
      (error) => failures.push(error),
    );
    repetition.start();
  });
  afterEach(() => repetition.stop());

  const end = async (index: number, error?: Error): Promise<void> => {
    if (error) begun[index]?.reject(error);
    else begun[index]?.resolve();
    await new Promise(setImmediate);
  };

  it('works again after the pause, counted from the end', async () => {
    clock.advance(999);
    expect(begun).toHaveLength(0);
    clock.advance(1);
    expect(begun).toHaveLength(1);
    clock.advance(5000);
    expect(begun).toHaveLength(1);
    await end(0);
    clock.advance(1000);
    expect(begun).toHaveLength(2);
    await end(1);
  });

  it('goes on after a failure, and tells of it', async () => {
    clock.advance(1000);
    await end(0, new Error('told to fail'));
    expect(failures).toEqual([new Error('told to fail')]);
    clock.advance(1000);
    expect(begun).toHaveLength(2);
    await end(1);
  });

  it('tells its work that it is over, waits for it, and does not begin again', async () => {
    clock.advance(1000);
    let stopped = false;
    const stopping = repetition.stop().then(() => (stopped = true));
    expect(wasOver?.()).toBe(true);
    await new Promise(setImmediate);
    expect(stopped).toBe(false);
    await end(0);
    await stopping;
    clock.advance(10_000);
    expect(begun).toHaveLength(1);
  });

  it('that is stopped in its pause does not begin', async () => {
    await repetition.stop();
    clock.advance(10_000);
    expect(begun).toHaveLength(0);
  });
});

interface PromiseWithResolvers {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

function withResolvers(): PromiseWithResolvers {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<void>((...both) => ([resolve, reject] = both));
  return { promise, resolve, reject };
}
