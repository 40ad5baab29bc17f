import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it } from '@jest/globals';
import { SystemClock, yieldToEventLoop, type Cancel } from '../../core/clock/index.js';
import type { Config } from '../../core/config/index.js';
import type { Fault, FaultRecorder } from './fault-recorder.js';
import { StallWatch } from './stall-watch.js';

const STALL_MS = 100;

function hold(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end) JSON.stringify({ end });
}

it('names the function that stalled the event loop', async () => {
  const faults: Fault[] = [];
  let done!: () => void;
  const named = new Promise<void>((resolve) => (done = resolve));
  const record = (fault: Fault): void => {
    faults.push(fault);
    if (fault.title.includes(' in ')) done();
  };
  const recorder = { record } as Partial<FaultRecorder> as FaultRecorder;
  const watching = new StallWatch(recorder, { stallMs: STALL_MS, faultRecords: 1, dataDir: '', version: '' } as Config);
  watching.onApplicationBootstrap();
  let cancel: Cancel = () => undefined;
  const again = (): void => {
    hold(8 * STALL_MS);
    cancel = new SystemClock().after(2 * STALL_MS, again);
  };
  again();
  try {
    await named;
    expect(faults[0]).toMatchObject({
      kind: 'stall',
      title: expect.stringMatching(/^The event loop stalled for \d+ ms; the next stall is recorded with its stack\.$/),
    });
    expect(faults.at(-1)).toMatchObject({
      kind: 'stall',
      title: expect.stringMatching(/^The event loop stalled for \d+ ms in hold \(.*stall-watch\.spec\.ts.*\)\.$/),
      details: { stack: expect.arrayContaining([expect.objectContaining({ name: 'hold' })]) },
    });
  } finally {
    cancel();
    await watching.beforeApplicationShutdown();
  }
});

it('records a lasting stall from the watching thread, and deletes the record when the main thread recovers', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-stall-'));
  const beats = new SharedArrayBuffer(4);
  const worker = new Worker(new URL('./stall-watch.worker.js', import.meta.url), {
    workerData: { beats, stallMs: STALL_MS, lastingMs: 2 * STALL_MS, folder, version: '1.2.3' },
  });
  const has = async (count: number): Promise<string[]> => {
    for (;;) {
      const names = await readdir(folder);
      if (names.length === count) return names;
      await yieldToEventLoop();
    }
  };
  try {
    const [name = ''] = await has(1);
    expect(name).toMatch(/^\d{8}T\d{9}Z-stall\.json$/);
    Atomics.add(new Int32Array(beats), 0, 1);
    await has(0);
  } finally {
    await worker.terminate();
    await rm(folder, { recursive: true, force: true });
  }
});
