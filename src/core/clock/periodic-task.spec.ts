import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { PeriodicTask } from './periodic-task.js';

describe('PeriodicTask', () => {
  let clock: FakeClock;
  let begun: PromiseWithResolvers[];
  let failures: unknown[];
  let stopping: AbortSignal | undefined;
  let task: PeriodicTask;

  beforeEach(() => {
    clock = new FakeClock();
    begun = [];
    failures = [];
    task = new PeriodicTask(
      clock,
      1000,
      (signal) => {
        stopping = signal;
        const work = withResolvers();
        begun.push(work);
        return work.promise;
      },
      (error) => failures.push(error),
    );
    task.start();
  });
  afterEach(() => task.stop());

  const end = async (index: number, error?: Error): Promise<void> => {
    if (error) begun[index]?.reject(error);
    else begun[index]?.resolve();
    await new Promise(setImmediate);
  };

  it('runs again after the pause, which starts when a run ends', async () => {
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

  it('continues after a failure and reports it', async () => {
    clock.advance(1000);
    await end(0, new Error('told to fail'));
    expect(failures).toEqual([new Error('told to fail')]);
    clock.advance(1000);
    expect(begun).toHaveLength(2);
    await end(1);
  });

  it('aborts the signal of its work when it stops, waits for the work, and does not start again', async () => {
    clock.advance(1000);
    let stopped = false;
    const ending = task.stop().then(() => (stopped = true));
    expect(stopping?.aborted).toBe(true);
    await new Promise(setImmediate);
    expect(stopped).toBe(false);
    await end(0);
    await ending;
    clock.advance(10_000);
    expect(begun).toHaveLength(1);
  });

  it('runs soon after a request, once, and then after each pause again', async () => {
    task.runSoon(10);
    clock.advance(9);
    task.runSoon(10);
    clock.advance(1);
    expect(begun).toHaveLength(1);
    await end(0);
    clock.advance(999);
    expect(begun).toHaveLength(1);
    clock.advance(1);
    expect(begun).toHaveLength(2);
    await end(1);
  });

  it('runs again soon when requested during a run', async () => {
    clock.advance(1000);
    task.runSoon(10);
    clock.advance(10);
    expect(begun).toHaveLength(1);
    await end(0);
    clock.advance(10);
    expect(begun).toHaveLength(2);
    await end(1);
  });

  it('does not run when stopped during the pause', async () => {
    await task.stop();
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
