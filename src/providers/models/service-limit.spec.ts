import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { AppError } from '../../core/errors/index.js';
import { ServiceLimit, type WaitingCall } from './service-limit.js';

const REFUSAL = new AppError('MODEL_UNAVAILABLE', 'The service accepts no more.', 'Wait.');
const BACKOFF_MS = 500;

let clock: FakeClock;
let limit: ServiceLimit;
let begun: string[];
beforeEach(() => {
  clock = new FakeClock();
  limit = new ServiceLimit(clock, { provider: 'openai', model: 'm' });
  begun = [];
});

function callOf(user: string, { agent = 'Ada', leftMs = 60_000, signal = new AbortController().signal } = {}): WaitingCall {
  return {
    shares: [agent, user],
    signal,
    waitsSince: clock.now(),
    leftMs,
    waited(ms) {
      Object.assign(this, { leftMs: this.leftMs - ms });
    },
  };
}

/** Begins calls, as far as they may. `ends` tells how each ends that waits. */
async function enter(users: readonly string[], options?: Parameters<typeof callOf>[1]): Promise<{ readonly ends: Promise<unknown>[] }> {
  const ends = users.map(async (user) => {
    await limit.enter(callOf(user, options));
    begun.push(user);
  });
  for (const end of ends) end.catch(() => undefined);
  await settle();
  return { ends };
}

/** Lets calls go on that may. */
async function settle(): Promise<void> {
  for (let steps = 0; steps < 20; steps++) await Promise.resolve();
}

/** So many calls at once, which the service refuses. */
async function refused(calls: number, retryAfterMs: number | undefined): Promise<void> {
  await enter(Array.from({ length: calls }, () => 'x'));
  for (let i = 0; i < calls; i++) {
    limit.refuse(0, REFUSAL, retryAfterMs, BACKOFF_MS);
    limit.leave(false);
  }
  begun = [];
}

describe('the limit of a service', () => {
  it('is none until the service refuses a call', async () => {
    await enter(Array.from({ length: 5000 }, (_, index) => `user ${index}`));
    expect(begun).toHaveLength(5000);
  });

  it('holds calls for the time that the service names, and then lets half as many run', async () => {
    await refused(8, 7000);
    await enter(['a', 'b', 'c', 'd', 'e', 'f']);
    clock.advance(6999);
    await settle();
    expect(begun).toEqual([]);
    expect(limit.held).toMatchObject({ calls: 6, oldestMs: 6999, refusal: { error: REFUSAL } });
    clock.advance(1);
    await settle();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('is lowered once by the refusals of calls that ran together, and again by those of later ones', async () => {
    await refused(8, 1000);
    await enter(['a', 'b', 'c', 'd', 'e', 'f']);
    clock.advance(1000);
    await settle();
    for (let i = 0; i < 4; i++) {
      limit.refuse(1, REFUSAL, 1000, BACKOFF_MS);
      limit.leave(false);
    }
    // Named again without having accepted a call in between, the time is longer by a backoff of 1,000 ms.
    clock.advance(1999);
    await settle();
    expect(begun).toHaveLength(4);
    clock.advance(1);
    await settle();
    expect(begun).toHaveLength(6);
    expect(limit.held.calls).toBe(0);
    await enter(['g']);
    expect(limit.held.calls).toBe(1);
  });

  it('rises by one for each round of calls that succeeds', async () => {
    await refused(4, 1000);
    await enter(Array.from({ length: 9 }, () => 'a'));
    clock.advance(1000);
    await settle();
    expect(begun).toHaveLength(2);
    limit.leave(true);
    limit.leave(true);
    await settle();
    expect(begun).toHaveLength(4);
    limit.leave(true);
    await settle();
    expect(begun).toHaveLength(6);
  });

  it('is forgotten five minutes after the last refusal', async () => {
    await refused(2, 1000);
    clock.advance(1000);
    await enter(['a', 'b'], { leftMs: 600_000 });
    expect(begun).toEqual(['a']);
    clock.advance(299_000);
    await settle();
    expect(begun).toEqual(['a', 'b']);
  });

  it('pauses for a time of its own when the service names none', async () => {
    await refused(2, undefined);
    await enter(['a']);
    clock.advance(BACKOFF_MS - 1);
    await settle();
    expect(begun).toEqual([]);
    clock.advance(1);
    await settle();
    expect(begun).toEqual(['a']);
  });

  it('lets agents and their users take turns', async () => {
    await refused(2, 1000);
    await enter(['a', 'a', 'a', 'b']);
    await enter(['c'], { agent: 'Bob' });
    clock.advance(1000);
    for (let i = 0; i < 4; i++) {
      await settle();
      limit.leave(false);
    }
    await settle();
    expect(begun).toEqual(['a', 'c', 'b', 'a', 'a']);
  });
});

describe('a call that waits', () => {
  it('ends with the reason of its signal, and takes no place', async () => {
    await refused(2, 1000);
    const stop = new AbortController();
    const { ends } = await enter(['a'], { signal: stop.signal });
    await enter(['b']);
    const reason = new Error('stopped');
    stop.abort(reason);
    await expect(ends[0]).rejects.toBe(reason);
    expect(limit.held.calls).toBe(1);
    clock.advance(1000);
    await settle();
    expect(begun).toEqual(['b']);
  });

  it('fails at once when the service names a time beyond what it may wait', async () => {
    await refused(2, 60_001);
    const { ends } = await enter(['a']);
    await expect(ends[0]).rejects.toBe(REFUSAL);
  });

  it('fails when it has waited as long as it may', async () => {
    await refused(2, 1000);
    const { ends } = await enter(['a', 'b'], { leftMs: 5000 });
    clock.advance(4999);
    await settle();
    expect(begun).toEqual(['a']);
    clock.advance(1);
    await expect(ends[1]).rejects.toBe(REFUSAL);
  });
});
