/** Snapshot of one series. Values accumulate from the start of the process. */
export type SeriesSnapshot = { readonly labels: Readonly<Record<string, string>> } & (
  | { readonly value: number }
  | {
      readonly count: number;
      readonly sum: number;
      /** Observations per bucket: above the previous bound and up to the bound; the last bucket counts those above all bounds. */
      readonly buckets: readonly number[];
    }
);

/** Snapshot of one metric, for exporters. */
export interface MetricSnapshot {
  readonly name: string;
  /** Base of the name for exporters, which add the unit; `name` when absent. */
  readonly exportedAs?: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly about: string;
  readonly unit: Unit;
  /** Upper bounds of a histogram's buckets, in the metric's unit, ascending. */
  readonly bounds?: readonly number[];
  readonly series: readonly SeriesSnapshot[];
}

/** `1` for counts. An exporter converts to the base unit of its format. */
export type Unit = '1' | 'ms' | 'bytes' | 'tokens' | 'usd';

/** Labels of a metric: the allowed values by name, or null for any text. */
export type Labels = Readonly<Record<string, readonly string[] | null>>;
export type LabelValues<L extends Labels> = { readonly [K in keyof L]: L[K] extends readonly (infer V extends string)[] ? V : string };

/** Definition of a metric, for the reference. */
export interface MetricInfo {
  readonly name: string;
  readonly exportedAs?: string;
  readonly kind: MetricSnapshot['kind'];
  readonly about: string;
  readonly unit: Unit;
  readonly labels: Labels;
  readonly bounds?: readonly number[];
}

/** A metric of a module. */
export type Metric = Counter | Gauge | Histogram | MetricFamily<Labels, Counter | Gauge | Histogram> | Observed<Labels>;

interface Definition {
  /** Lower case, words joined by dots: `turns.finished`. */
  readonly name: string;
  /** One sentence on what it counts or measures. */
  readonly about: string;
  readonly unit?: Unit;
  /** Name for exporters, where it differs: a histogram that is named after what it counts is exported as what it measures. */
  readonly exportedAs?: string;
}

/** A monotonic total. */
export class Counter {
  private total = 0;

  /** @param amount at least 0 */
  add(amount = 1): void {
    this.total += amount;
  }

  snapshot(): { value: number } {
    return { value: this.total };
  }
}

/** A value that can rise and fall. */
export class Gauge {
  private level = 0;

  /** @param change may be negative */
  add(change: number): void {
    this.level += change;
  }

  set(level: number): void {
    this.level = level;
  }

  snapshot(): { value: number } {
    return { value: this.level };
  }
}

/** A distribution of values in buckets. */
export class Histogram {
  private readonly buckets: Float64Array;
  private sum = 0;

  constructor(private readonly bounds: readonly number[]) {
    this.buckets = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    let bucket = 0;
    while (bucket < this.bounds.length && value > this.bounds[bucket]!) bucket += 1;
    this.buckets[bucket]! += 1;
    this.sum += value;
  }

  snapshot(): { count: number; sum: number; buckets: number[] } {
    return { count: this.buckets.reduce((count, each) => count + each, 0), sum: this.sum, buckets: [...this.buckets] };
  }
}

/** One value of an observed metric. */
export interface Reading {
  readonly metric: object;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric whose values are looked up when an exporter asks for them, by a `MetricSource`. */
export class Observed<L extends Labels> {
  /** The value of the series with these labels now; of a counter, since the start of the process. */
  reading(value: number, labels: LabelValues<L>): Reading {
    return { metric: this, labels, value };
  }
}

/** Maximum number of series of a metric, without the overflow series. */
export const MAX_SERIES = 2000;
/** Value of all labels of the overflow series. */
export const OTHER_LABEL = '(other)';

type Node<S> = Map<string, Node<S> | S>;

/** The series of a metric with labels. */
export class MetricFamily<L extends Labels, S extends { snapshot(): object }> {
  private readonly names: readonly (keyof L & string)[];
  private readonly tree: Node<S> = new Map();
  private readonly all: { readonly labels: Record<string, string>; readonly series: S }[] = [];
  private rest?: S;

  constructor(
    labels: L,
    private readonly make: () => S,
  ) {
    this.names = Object.keys(labels);
    // Series whose labels are known begin at 0: the increase to the first value of a series that was not there before is not seen.
    const known = Object.values(labels).reduce<(readonly string[])[]>(
      (rows, values) => rows.flatMap((row) => (values ?? []).map((value) => [...row, value])),
      [[]],
    );
    for (const row of known) this.with(Object.fromEntries(this.names.map((name, at) => [name, row[at]])) as LabelValues<L>);
  }

  /**
   * The series with these labels. On hot paths, look it up once. Beyond `MAX_SERIES`, further label values share the overflow series, so
   * that values chosen by clients cannot exhaust the memory.
   */
  with(labels: LabelValues<L>): S {
    const { names } = this;
    let node = this.tree;
    const last = names.length - 1;
    for (let level = 0; level < last; level++) {
      const value = labels[names[level]!];
      let next = node.get(value) as Node<S> | undefined;
      if (next === undefined) {
        if (this.all.length >= MAX_SERIES) return this.overflow();
        node.set(value, (next = new Map()));
      }
      node = next;
    }
    const value = labels[names[last]!];
    let series = node.get(value) as S | undefined;
    if (series === undefined) {
      if (this.all.length >= MAX_SERIES) return this.overflow();
      node.set(value, (series = this.make()));
      this.all.push({ labels: Object.fromEntries(names.map((name) => [name, labels[name]])), series });
    }
    return series;
  }

  snapshot(): SeriesSnapshot[] {
    return this.all.map(({ labels, series }) => ({ labels, ...series.snapshot() }) as SeriesSnapshot);
  }

  private overflow(): S {
    if (this.rest === undefined) {
      this.rest = this.make();
      this.all.push({ labels: Object.fromEntries(this.names.map((name) => [name, OTHER_LABEL])), series: this.rest });
    }
    return this.rest;
  }
}

/**
 * Defines metrics and aggregates them in the process. A module defines its metrics once, in `<module>.metrics.ts`, and uses the returned
 * objects, so that a wrong name or label does not compile. An exporter reads `snapshot()`.
 *
 * Processor time of one call, the mean of 20 million on Node 20: `add` 2 ns, `observe` 16 ns, `with` one label and `add` 30 ns, `with`
 * three labels and `observe` 130 ns.
 */
export class Meter {
  private readonly metrics = new Map<string, () => MetricSnapshot>();
  private readonly definitions = new Map<object, MetricInfo>();

  counter(definition: Definition): Counter;
  counter<const L extends Labels>(definition: Definition & { readonly labels: L }): MetricFamily<L, Counter>;
  counter(definition: Definition & { readonly labels?: Labels }): Counter | MetricFamily<Labels, Counter> {
    return this.define('counter', definition, () => new Counter());
  }

  gauge(definition: Definition): Gauge;
  gauge<const L extends Labels>(definition: Definition & { readonly labels: L }): MetricFamily<L, Gauge>;
  gauge(definition: Definition & { readonly labels?: Labels }): Gauge | MetricFamily<Labels, Gauge> {
    return this.define('gauge', definition, () => new Gauge());
  }

  /** A histogram; `bounds` are the upper bounds of its buckets, ascending. */
  histogram(definition: Definition & { readonly bounds: readonly number[] }): Histogram;
  histogram<const L extends Labels>(
    definition: Definition & { readonly bounds: readonly number[]; readonly labels: L },
  ): MetricFamily<L, Histogram>;
  histogram(
    definition: Definition & { readonly bounds: readonly number[]; readonly labels?: Labels },
  ): Histogram | MetricFamily<Labels, Histogram> {
    return this.define('histogram', definition, () => new Histogram(definition.bounds));
  }

  /** A metric that a `MetricSource` reads; it has no values in `snapshot`. */
  observed(definition: Definition & { readonly kind: 'counter' | 'gauge' }): Observed<Record<string, never>>;
  observed<const L extends Labels>(definition: Definition & { readonly kind: 'counter' | 'gauge'; readonly labels: L }): Observed<L>;
  observed({
    kind,
    labels = {},
    ...definition
  }: Definition & { readonly kind: 'counter' | 'gauge'; readonly labels?: Labels }): Observed<Labels> {
    const observed = new Observed<Labels>();
    this.add(observed, { ...shared(kind, definition), labels }, () => []);
    return observed;
  }

  /** Definitions of all metrics by object, in the order of definition. */
  defined(): ReadonlyMap<object, MetricInfo> {
    return this.definitions;
  }

  /** Current values of all metrics, in the order of definition. */
  snapshot(): MetricSnapshot[] {
    return [...this.metrics.values()].map((read) => read());
  }

  private define<S extends Counter | Gauge | Histogram>(
    kind: MetricSnapshot['kind'],
    { labels, bounds, ...definition }: Definition & { readonly labels?: Labels; readonly bounds?: readonly number[] },
    make: () => S,
  ): S | MetricFamily<Labels, S> {
    const info = { ...shared(kind, definition), ...(bounds ? { bounds } : {}) };
    if (labels) {
      const family = new MetricFamily(labels, make);
      this.add(family, { ...info, labels }, () => family.snapshot());
      return family;
    }
    const series = make();
    this.add(series, { ...info, labels: {} }, () => [{ labels: {}, ...series.snapshot() }]);
    return series;
  }

  private add(metric: object, info: MetricInfo, series: () => SeriesSnapshot[]): void {
    if (this.metrics.has(info.name)) throw new Error(`the metric ${info.name} is defined twice`);
    const { labels: _, ...described } = info;
    this.definitions.set(metric, info);
    this.metrics.set(info.name, () => ({ ...described, series: series() }));
  }
}

function shared(kind: MetricSnapshot['kind'], { name, about, unit = '1', exportedAs }: Definition): Omit<MetricInfo, 'labels'> {
  return { name, ...(exportedAs === undefined ? {} : { exportedAs }), kind, about, unit };
}

/** The metrics of this process. */
export const meter = new Meter();

/** Bounds for durations from a millisecond to minutes, ms. */
export const DURATION_BOUNDS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 120_000] as const;
