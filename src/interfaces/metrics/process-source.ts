import { readdir, readFile } from 'node:fs/promises';
import { constants, monitorEventLoopDelay, performance, PerformanceObserver, type IntervalHistogram } from 'node:perf_hooks';
import { cpuUsage, memoryUsage, version as nodeVersion } from 'node:process';
import { getHeapStatistics } from 'node:v8';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../../core/config/index.js';
import type { MetricSource, Reading } from '../../core/telemetry/index.js';
import { PROCESS_METRICS } from './process.metrics.js';

const RESOLUTION_MS = 20;
const WINDOW_MS = 15_000;
const NS_PER_MS = 1e6;
const PERCENTILES = { '50': 50, '99': 99, max: 100 } as const;
const NAMES = Object.keys(PERCENTILES) as (keyof typeof PERCENTILES)[];

const KINDS: Readonly<Record<number, 'minor' | 'major' | 'incremental' | 'weak'>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weak',
};

/** Memory, processor time, event loop and garbage collection of the process. What needs a timer or an observer runs only with METRICS. */
@Injectable()
export class ProcessSource implements MetricSource, OnModuleInit, BeforeApplicationShutdown {
  readonly source = 'process';
  private delay: IntervalHistogram | undefined;
  private collections: PerformanceObserver | undefined;
  private windowSince = 0;
  /** Delays of the window before, in the order of `NAMES`. */
  private before: readonly number[] = [];

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  onModuleInit(): void {
    if (this.config.metrics === 'off') return;
    this.delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    this.delay.enable();
    this.windowSince = performance.now();
    this.collections = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { duration, detail } = entry as typeof entry & { readonly detail?: { readonly kind?: number } };
        const kind = KINDS[detail?.kind ?? 0];
        if (kind !== undefined) PROCESS_METRICS.collections.with({ kind }).observe(duration);
      }
    });
    this.collections.observe({ entryTypes: ['gc'] });
  }

  beforeApplicationShutdown(): void {
    this.delay?.disable();
    this.collections?.disconnect();
  }

  async read(): Promise<readonly Reading[]> {
    const { rss, heapUsed, heapTotal, external } = memoryUsage();
    const { user, system } = cpuUsage();
    const metrics = PROCESS_METRICS;
    return [
      metrics.build.reading(1, { version: this.config.version, node: nodeVersion.slice(1) }),
      metrics.startTime.reading(performance.timeOrigin, {}),
      metrics.cpu.reading((user + system) / 1000, {}),
      metrics.resident.reading(rss, {}),
      metrics.heapUsed.reading(heapUsed, {}),
      metrics.heapSize.reading(heapTotal, {}),
      metrics.heapLimit.reading(getHeapStatistics().heap_size_limit, {}),
      metrics.external.reading(external, {}),
      metrics.loopBusy.reading(performance.eventLoopUtilization().active, {}),
      ...(await fileReadings()),
      ...this.delays().map((ms, index) => metrics.loopDelay.reading(ms, { percentile: NAMES[index] ?? 'max' })),
    ];
  }

  /** Of the window before and the present one, so that a second scraper does not find an empty window. */
  private delays(): number[] {
    const { delay } = this;
    if (!delay) return [];
    // The monitor measures the distance of two calls, which includes its own pause.
    const present = NAMES.map((name) => Math.max(delay.percentile(PERCENTILES[name]) / NS_PER_MS - RESOLUTION_MS, 0));
    const worst = present.map((ms, index) => Math.max(ms, this.before[index] ?? 0));
    const now = performance.now();
    if (now - this.windowSince >= WINDOW_MS) {
      this.before = present;
      this.windowSince = now;
      delay.reset();
    }
    return worst;
  }
}

/** Nothing where the system has no /proc. */
async function fileReadings(): Promise<Reading[]> {
  const [open, limits] = await Promise.all([unlessMissing(readdir('/proc/self/fd')), unlessMissing(readFile('/proc/self/limits', 'utf8'))]);
  const max = /^Max open files\s+(\d+)/m.exec(limits ?? '')?.[1];
  return [
    // The folder itself is open while it is read.
    ...(open === undefined ? [] : [PROCESS_METRICS.openFiles.reading(open.length - 1, {})]),
    ...(max === undefined ? [] : [PROCESS_METRICS.maxFiles.reading(Number(max), {})]),
  ];
}

async function unlessMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}
