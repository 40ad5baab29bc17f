import { constants, getPriority } from 'node:os';
import { SystemClock } from '../clock/index.js';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { WorkerPool, type WorkerPoolOptions } from './index.js';

const SERVE = new URL('./serve.js', import.meta.url);

/** A worker script whose sessions run `body`, with access to `message` and to `state`, an object of the session. */
function script(body: string): URL {
  const source = `import { threadId } from 'node:worker_threads';
    import { getPriority } from 'node:os';
    import { lowerPriority, serve } from ${JSON.stringify(SERVE.href)};
    const open = new Set();
    const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    serve(() => {
      const state = { calls: 0 };
      open.add(state);
      return { call: async (message, transfer) => { state.calls += 1; ${body} }, close: () => open.delete(state) };
    });`;
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}

const pools: WorkerPool[] = [];
const never = new AbortController().signal;

function pool(body: string, options: Partial<WorkerPoolOptions> = {}): WorkerPool {
  const made = new WorkerPool({
    name: 'tested',
    script: script(body),
    maxThreads: 1,
    maxQueued: 10,
    idleMs: 60_000,
    callMs: 60_000,
    clock: new SystemClock(),
    ...options,
  });
  pools.push(made);
  return made;
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((made) => made.close()));
});

describe('WorkerPool', () => {
  it('starts no thread before the first call', async () => {
    const subject = pool('return message + 1;');
    expect(subject.running).toBe(0);
    expect(await subject.run(1, { signal: never })).toBe(2);
    expect(subject.running).toBe(1);
  });

  it('keeps the state of a session until it is closed', async () => {
    const subject = pool('return [state.calls, open.size];', { sessionsPerThread: 2 });
    const [one, two] = [await subject.open(never), await subject.open(never)];
    expect([await one.call(0), await two.call(0), await one.call(0)]).toEqual([
      [1, 1],
      [1, 2],
      [2, 2],
    ]);
    one.close();
    expect(await two.call(0)).toEqual([2, 1]);
    two.close();
  });

  it('transfers buffers in both directions', async () => {
    const subject = pool('transfer.push(message.buffer); return message;');
    const sent = new Uint8Array([1, 2, 3]);
    expect(await subject.run(sent, { signal: never, transfer: [sent.buffer] })).toEqual(new Uint8Array([1, 2, 3]));
    expect(sent.length).toBe(0);
  });

  it("queues callers in order, and rejects those beyond the queue's limit", async () => {
    const subject = pool('return message;', { maxQueued: 2 });
    const first = await subject.open(never);
    const order: number[] = [];
    const waiting = [1, 2].map((n) => subject.run(n, { signal: never }).then(() => order.push(n)));
    expect(subject.queued).toBe(2);
    await expect(subject.run(3, { signal: never })).rejects.toMatchObject({ kind: 'busy' });
    first.close();
    await Promise.all(waiting);
    expect(order).toEqual([1, 2]);
  });

  it('uses a second thread when the first is busy', async () => {
    const subject = pool('return threadId;', { maxThreads: 2 });
    const [one, two] = [await subject.open(never), await subject.open(never)];
    expect(await one.call(0)).not.toBe(await two.call(0));
  });

  it('reports a failure and keeps the thread', async () => {
    const subject = pool('if (message === "fail") throw Object.assign(new Error("no"), { code: "WHY" }); return threadId;');
    const before = await subject.run('', { signal: never });
    await expect(subject.run('fail', { signal: never })).rejects.toMatchObject({ kind: 'failed', code: 'WHY', message: 'tested: no' });
    expect(await subject.run('', { signal: never })).toBe(before);
  });

  it.each([
    ['exits', 'process.exit(1)'],
    ['throws an uncaught exception', 'setTimeout(() => { throw new Error("lost"); }); return new Promise(() => {})'],
    ['runs out of memory', 'for (const hold = []; ; ) hold.push(new Array(1e4).fill(hold.length))'],
  ])(
    'fails only the calls of a thread that %s',
    async (_what, crash) => {
      const subject = pool(`if (message === "crash") { ${crash}; } return message;`, { heapMiB: 32 });
      const crashing = subject.run('crash', { signal: never });
      const queued = subject.run('other', { signal: never });
      await expect(crashing).rejects.toMatchObject({ kind: 'died' });
      expect(await queued).toBe('other');
    },
    30_000,
  );

  it('fails each call with the cause when the thread cannot start', async () => {
    const subject = pool('', { script: new URL('data:text/javascript,throw new Error("no engine")') });
    const cause = expect.objectContaining({ message: 'no engine' });
    for (const call of [subject.run(1, { signal: never }), subject.run(2, { signal: never })]) {
      await expect(call).rejects.toMatchObject({ kind: 'died', cause });
    }
  });

  it('terminates a thread whose call exceeds the time limit', async () => {
    const clock = new FakeClock();
    const subject = pool('if (message === "hang") for (;;); return message;', { clock, callMs: 1000 });
    expect(await subject.run('fine', { signal: never })).toBe('fine');
    const hanging = subject.run('hang', { signal: never });
    const queued = subject.run('next', { signal: never });
    await Promise.resolve();
    clock.advance(1000);
    await expect(hanging).rejects.toMatchObject({ kind: 'slow' });
    expect(await queued).toBe('next');
  });

  it("lowers only its thread's priority, where threads have priorities", async () => {
    const subject = pool('lowerPriority(); return getPriority();');
    const before = getPriority();
    expect(await subject.run(0, { signal: never })).toBe(process.platform === 'linux' ? constants.priority.PRIORITY_BELOW_NORMAL : before);
    expect(getPriority()).toBe(before);
  });

  it('keeps a thread whose priority cannot be lowered', async () => {
    const subject = pool(`(await import('node:os')).default.setPriority = () => { throw new Error('not permitted'); };
      (await import('node:module')).default.syncBuiltinESMExports();
      lowerPriority();
      return message;`);
    expect(await subject.run(1, { signal: never })).toBe(1);
  });

  it('terminates an idle thread, and starts another on demand', async () => {
    const clock = new FakeClock();
    const subject = pool('return threadId;', { clock });
    const first = await subject.run(0, { signal: never });
    clock.advance(59_000);
    expect(await subject.run(0, { signal: never })).toBe(first);
    clock.advance(59_000);
    expect(subject.running).toBe(1);
    clock.advance(1000);
    expect(subject.running).toBe(0);
    expect(await subject.run(0, { signal: never })).not.toBe(first);
  });

  it('rejects the calls of an aborted caller: before the start, in the queue and while running', async () => {
    const subject = pool('wait(message); return threadId;');
    const reason = new Error('no longer needed');
    await expect(subject.run(0, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const thread = await subject.run(0, { signal: never });
    const caller = new AbortController();
    const under = subject.run(100, { signal: caller.signal });
    const queued = subject.run(0, { signal: caller.signal });
    const other = subject.run(0, { signal: never });
    caller.abort(reason);
    await expect(under).rejects.toBe(reason);
    await expect(queued).rejects.toBe(reason);
    // A call that ends within the grace time keeps its thread.
    expect(await other).toBe(thread);
  });

  it('terminates a thread that continues an abandoned call', async () => {
    const clock = new FakeClock();
    const subject = pool('if (message === "hang") for (;;); return message;', { clock });
    await subject.run('', { signal: never });
    const caller = new AbortController();
    const hanging = subject.run('hang', { signal: caller.signal });
    await Promise.resolve();
    const other = subject.run('other', { signal: never });
    caller.abort(new Error('gone'));
    await expect(hanging).rejects.toThrow('gone');
    clock.advance(1000);
    expect(await other).toBe('other');
  });

  it('rejects running, waiting and later calls when it is closed', async () => {
    const subject = pool('return new Promise(() => {});');
    const calls = [subject.run(0, { signal: never }), subject.run(0, { signal: never })];
    await Promise.resolve();
    const closing = subject.close();
    for (const call of calls) await expect(call).rejects.toMatchObject({ kind: 'closed' });
    await closing;
    await expect(subject.run(0, { signal: never })).rejects.toMatchObject({ kind: 'closed' });
    expect(subject.running).toBe(0);
  });
});
