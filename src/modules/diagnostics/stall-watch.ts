import { url as inspectorUrl } from 'node:inspector';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { SystemClock, yieldToEventLoop, type Cancel } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { faultsFolder } from '../../core/faults/index.js';
import { Log } from '../../core/logging/index.js';
import { FaultRecorder } from './fault-recorder.js';

/** A stall that lasts this long is recorded by the watching thread, because the main thread may never recover, ms. */
const LASTING_MS = 30_000;
const HEAP_MB = 16;

interface Frame {
  /** Empty for an anonymous function. */
  readonly name: string;
  readonly url: string;
  readonly line: number;
}

/**
 * Records a fault when the event loop stalls for STALL_MS, with the stack of the function that ran. A thread watches a counter of the main
 * thread and reads the stack by the inspector, so nothing is paid while the event loop turns. Not with a debugger, whose breakpoints stall.
 */
@Injectable()
export class StallWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private worker: Worker | undefined;
  private cancel: Cancel = () => undefined;
  /** The clock of the system: what is watched is this process. */
  private readonly clock = new SystemClock();
  private frames: readonly Frame[] = [];
  private readonly log = new Log('diagnostics');

  constructor(
    private readonly recorder: FaultRecorder,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    const { stallMs, faultRecords, dataDir, version } = this.config;
    if (stallMs === 0 || faultRecords === 0 || inspectorUrl() !== undefined) return;
    const beats = new SharedArrayBuffer(4);
    const lastingMs = Math.max(LASTING_MS, 2 * stallMs);
    this.worker = new Worker(fileURLToPath(new URL('./stall-watch.worker.js', import.meta.url)), {
      name: 'stall-watch',
      workerData: { beats, stallMs, lastingMs, version, folder: faultsFolder(dataDir) },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 1 },
    });
    this.worker.on('message', ({ frames }: { frames: readonly Frame[] }) => (this.frames = frames));
    this.worker.on('error', (error) => this.log.warn('stalls of the event loop are no longer watched', { reason: error.message }));
    this.worker.unref();
    this.beat(new Int32Array(beats), stallMs);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.cancel();
    await this.worker?.terminate();
  }

  private beat(counter: Int32Array, stallMs: number, before = performance.now()): void {
    const everyMs = Math.max(20, Math.min(500, stallMs / 4));
    this.cancel = this.clock.after(everyMs, () => {
      const now = performance.now();
      const stalledMs = Math.round(now - before - everyMs);
      Atomics.add(counter, 0, 1);
      if (stalledMs >= stallMs) void this.report(stalledMs);
      this.beat(counter, stallMs, now);
    });
  }

  private async report(stalledMs: number): Promise<void> {
    // The stack arrives by a message, which is handled after this timer.
    await yieldToEventLoop();
    await yieldToEventLoop();
    const { frames } = this;
    this.frames = [];
    // The watching thread stood still as well, so the process was suspended.
    if (frames.length === 0) return;
    const caller = frames.find(({ url }) => !url.startsWith('node:')) ?? frames[0]!;
    const where = `${caller.name === '' ? 'an anonymous function' : caller.name} (${caller.url}:${caller.line})`;
    this.recorder.record({
      kind: 'stall',
      title: `The event loop stalled for ${stalledMs} ms in ${where}.`,
      signature: `stall ${where}`,
      details: { stalledMs, stack: frames },
    });
  }
}
