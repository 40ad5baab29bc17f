import { Injectable } from '@nestjs/common';
import { Clock, withTimeout } from '../clock/index.js';
import { Hooks } from '../hooks/index.js';
import { Log } from '../logging/index.js';
import { meter, type MetricSnapshot, type Reading } from './metrics.js';

/**
 * Looks up values that a module does not count, such as the length of a queue; a class of the hook kind `metricSources`. It is asked only
 * while an exporter is in use.
 */
export interface MetricSource {
  /** Lower case, for the log and for the metric of failures. */
  readonly source: string;
  /** True when `read` asks the database: what it returns is used again for 5 s, however many exporters ask. */
  readonly asksDatabase?: boolean;
  /** The values now. A series that is left out has no value. May throw. */
  read(): readonly Reading[] | Promise<readonly Reading[]>;
}

/** Time for which the values of a source that asks the database are used again, ms. */
const FRESH_MS = 5000;
/** Time limit of a source, ms; shorter than that of usual scrapes. */
const LIMIT_MS = 4000;

const FAILURES = meter.counter({
  name: 'metrics.source.failures',
  about: 'Failures of sources of metrics. The metrics of a source that fails are left out.',
  labels: { source: null },
});

/** Metrics with the values of the sources of all modules. Holds nothing of its own between two calls but recent values. */
@Injectable()
export class MetricSources {
  private readonly recent = new Map<MetricSource, { readonly at: number; readonly readings: Promise<readonly Reading[]> }>();
  private readonly running = new Set<MetricSource>();
  private readonly failing = new Set<MetricSource>();
  private readonly log = new Log('metrics');

  constructor(
    private readonly hooks: Hooks,
    private readonly clock: Clock,
  ) {}

  /** Current values of all metrics, in the order of definition. Never rejects: a source that fails is counted and left out. */
  async collect(): Promise<MetricSnapshot[]> {
    const readings = (await Promise.all(this.hooks.of('metricSources').map((source) => this.readingsOf(source)))).flat();
    const byName = new Map<string | undefined, Reading[]>();
    for (const reading of readings) {
      const name = meter.defined().get(reading.metric)?.name;
      byName.set(name, [...(byName.get(name) ?? []), reading]);
    }
    return meter.snapshot().map((metric) => {
      const found = byName.get(metric.name);
      return found ? { ...metric, series: found.map(({ labels, value }) => ({ labels, value })) } : metric;
    });
  }

  private readingsOf(source: MetricSource): Promise<readonly Reading[]> {
    const now = this.clock.now();
    const recent = this.recent.get(source);
    // After the wall clock was set back, the values seem to be of the future.
    if (recent && source.asksDatabase === true && Math.abs(now - recent.at) < FRESH_MS) return recent.readings;
    const readings = this.read(source);
    this.recent.set(source, { at: now, readings });
    return readings;
  }

  private async run(source: MetricSource): Promise<readonly Reading[]> {
    this.running.add(source);
    try {
      return await source.read();
    } finally {
      this.running.delete(source);
    }
  }

  private async read(source: MetricSource): Promise<readonly Reading[]> {
    try {
      // Work that has exceeded the limit may go on: it must not pile up.
      if (this.running.has(source)) throw new Error('the reading before has not ended');
      const readings = await withTimeout(this.clock, LIMIT_MS, () => this.run(source));
      if (this.failing.delete(source)) this.log.info('metrics can be read again', { source: source.source });
      return readings;
    } catch (error) {
      FAILURES.with({ source: source.source }).add();
      // Once for each outage, since a scraper asks every few seconds.
      if (!this.failing.has(source)) this.log.warn('metrics could not be read', { source: source.source, error: String(error) });
      this.failing.add(source);
      return [];
    }
  }
}

declare module '../hooks/hook-kinds.js' {
  interface HookKinds {
    metricSources: MetricSource;
  }
}
