import type { MetricInfo, MetricSnapshot } from '../../core/telemetry/index.js';

/** Media type of `exposition`. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const PREFIX = 'parley_';
/** Metrics of any program have the names that the client libraries of Prometheus give them. */
const STANDARD = /^process\./;

/** Prometheus has base units: what is measured in ms is exported in seconds. */
const UNITS: Readonly<Record<MetricInfo['unit'], { readonly suffix: string; readonly scale: number }>> = {
  '1': { suffix: '', scale: 1 },
  ms: { suffix: '_seconds', scale: 1000 },
  bytes: { suffix: '_bytes', scale: 1 },
  tokens: { suffix: '_tokens', scale: 1 },
  usd: { suffix: '_usd', scale: 1 },
};

/** Name of a metric in Prometheus: `turn.duration` in ms is `parley_turn_duration_seconds`. */
export function prometheusName({ name, exportedAs = name, kind, unit }: Pick<MetricInfo, 'name' | 'exportedAs' | 'kind' | 'unit'>): string {
  const words = exportedAs.replaceAll('.', '_');
  const { suffix } = UNITS[unit];
  const base = `${STANDARD.test(exportedAs) ? '' : PREFIX}${words}${words.endsWith(suffix) ? '' : suffix}`;
  return kind === 'counter' ? `${base}_total` : base;
}

/**
 * Metrics in the text format of Prometheus, version 0.0.4. A metric without series is left out.
 *
 * @param metrics in the order in which they are written; names are unique
 */
export function exposition(metrics: readonly MetricSnapshot[]): string {
  return metrics
    .filter(({ series }) => series.length > 0)
    .map(family)
    .join('');
}

function family(metric: MetricSnapshot): string {
  const name = prometheusName(metric);
  const { scale } = UNITS[metric.unit];
  const lines = [`# HELP ${name} ${escapeHelp(metric.about)}`, `# TYPE ${name} ${metric.kind}`];
  for (const series of metric.series) {
    const labels = Object.entries(series.labels).map(([label, value]) => `${label}="${escapeLabel(value)}"`);
    if ('value' in series) {
      lines.push(sample(name, labels, series.value / scale));
      continue;
    }
    let count = 0;
    series.buckets.forEach((observed, index) => {
      count += observed;
      const bound = metric.bounds?.[index];
      lines.push(sample(`${name}_bucket`, [...labels, `le="${bound === undefined ? '+Inf' : text(bound / scale)}"`], count));
    });
    lines.push(sample(`${name}_sum`, labels, series.sum / scale), sample(`${name}_count`, labels, series.count));
  }
  return `${lines.join('\n')}\n`;
}

function sample(name: string, labels: readonly string[], value: number): string {
  return `${name}${labels.length === 0 ? '' : `{${labels.join(',')}}`} ${text(value)}`;
}

function text(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}

function escapeHelp(about: string): string {
  return about.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function escapeLabel(value: string): string {
  return escapeHelp(value).replaceAll('"', '\\"');
}
