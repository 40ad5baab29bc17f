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
/** A process that used less of the processor than this share of a stall was suspended. */
const LEAST_SHARE = 0.05;

interface Frame {
  /** Empty for an anonymous function. */
  readonly name: string;
  readonly url: string;
  readonly line: number;
}

/**
 * Records a fault when the event loop stalls for STALL_MS, with the stack of the function that ran. A thread watches a counter of the main
 * thread and reads the stack through the inspector. It starts when the event loop is late by a quarter of STALL_MS for the first time, so an
 * idle server does not pay its memory; a first stall without such a sign is recorded without a stack. Not with a debugger, whose breakpoints
 * stall.
 */
@Injectable()
export class StallWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly beats = new SharedArrayBuffer(4);
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
    const { stallMs, faultRecords } = this.config;
    if (stallMs > 0 && faultRecords > 0 && inspectorUrl() === undefined) this.beat(new Int32Array(this.beats));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.cancel();
    await this.worker?.terminate();
  }

  private beat(counter: Int32Array, before = performance.now(), cpuBefore = process.cpuUsage()): void {
    const { stallMs } = this.config;
    const everyMs = Math.max(20, Math.min(500, stallMs / 4));
    this.cancel = this.clock.after(everyMs, () => {
      const now = performance.now();
      const lateMs = Math.round(now - before - everyMs);
      Atomics.add(counter, 0, 1);
      const { user, system } = process.cpuUsage(cpuBefore);
      if (lateMs >= stallMs) void this.report(lateMs, (user + system) / 1000);
      if (lateMs >= stallMs / 4) this.worker ??= this.startWorker();
      this.beat(counter, now);
    });
  }

  private startWorker(): Worker {
    const { stallMs, dataDir, version } = this.config;
    const worker = new Worker(fileURLToPath(new URL('./stall-watch.worker.js', import.meta.url)), {
      name: 'stall-watch',
      workerData: { beats: this.beats, stallMs, lastingMs: Math.max(LASTING_MS, 2 * stallMs), version, folder: faultsFolder(dataDir) },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 1 },
    });
    worker.on('message', ({ frames }: { frames: readonly Frame[] }) => (this.frames = frames));
    worker.on('error', (error) => this.log.warn('stalls of the event loop are no longer watched', { reason: error.message }));
    worker.unref();
    return worker;
  }

  /** @param cpuMs processor time of the process meanwhile, ms */
  private async report(stalledMs: number, cpuMs: number): Promise<void> {
    // The stack arrives by a message, which is handled after this timer.
    await yieldToEventLoop();
    await yieldToEventLoop();
    const { frames } = this;
    this.frames = [];
    const caller = frames.find(({ url }) => !url.startsWith('node:')) ?? frames[0];
    // Without a stack and without work, the whole process was suspended.
    if (caller === undefined && cpuMs < stalledMs * LEAST_SHARE) return;
    const where = caller && `${caller.name === '' ? 'an anonymous function' : caller.name} (${caller.url}:${caller.line})`;
    this.recorder.record({
      kind: 'stall',
      title: `The event loop stalled for ${stalledMs} ms${where === undefined ? '; the next stall is recorded with its stack' : ` in ${where}`}.`,
      signature: `stall ${where ?? ''}`,
      details: { stalledMs, cpuMs: Math.round(cpuMs), stack: frames },
    });
  }
}
