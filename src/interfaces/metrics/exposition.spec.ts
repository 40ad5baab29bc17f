import { describe, expect, it } from '@jest/globals';
import { Meter } from '../../core/telemetry/metrics.js';
import { exposition, prometheusName } from './exposition.js';

describe('the Prometheus text format', () => {
  it('writes counters and gauges with help and type', () => {
    const meter = new Meter();
    meter
      .counter({ name: 'journal.entries', about: 'Entries, by type.', labels: { type: null } })
      .with({ type: 'a' })
      .add(3);
    meter.gauge({ name: 'sockets.open', about: 'Open sockets.' }).add(2);
    expect(exposition(meter.snapshot())).toBe(
      `# HELP parley_journal_entries_total Entries, by type.
# TYPE parley_journal_entries_total counter
parley_journal_entries_total{type="a"} 3
# HELP parley_sockets_open Open sockets.
# TYPE parley_sockets_open gauge
parley_sockets_open 2
`,
    );
  });

  it('writes histograms in seconds with cumulative buckets', () => {
    const meter = new Meter();
    const took = meter.histogram({ name: 'took', about: 'Took.', unit: 'ms', bounds: [5, 250], labels: { by: null } });
    for (const ms of [1, 5, 100, 1000]) took.with({ by: 'a' }).observe(ms);
    expect(exposition(meter.snapshot())).toBe(
      `# HELP parley_took_seconds Took.
# TYPE parley_took_seconds histogram
parley_took_seconds_bucket{by="a",le="0.005"} 2
parley_took_seconds_bucket{by="a",le="0.25"} 3
parley_took_seconds_bucket{by="a",le="+Inf"} 4
parley_took_seconds_sum{by="a"} 1.106
parley_took_seconds_count{by="a"} 4
`,
    );
  });

  it('escapes characters that would end a label or a line', () => {
    const meter = new Meter();
    meter
      .counter({ name: 'said', about: 'A \\ and\na "line".', labels: { what: null } })
      .with({ what: 'a "b"\\c\nd' })
      .add();
    expect(exposition(meter.snapshot())).toBe(
      '# HELP parley_said_total A \\\\ and\\na "line".\n# TYPE parley_said_total counter\nparley_said_total{what="a \\"b\\"\\\\c\\nd"} 1\n',
    );
  });

  it('leaves out a metric without series', () => {
    const meter = new Meter();
    meter.counter({ name: 'none', about: 'None.', labels: { by: null } });
    expect(exposition(meter.snapshot())).toBe('');
  });

  it.each([
    [Number.POSITIVE_INFINITY, '+Inf'],
    [Number.NEGATIVE_INFINITY, '-Inf'],
    [Number.NaN, 'NaN'],
    [1e21, '1e+21'],
    [-0.5, '-0.5'],
  ])('writes the number %s as %s', (value, written) => {
    const metric = { name: 'level', kind: 'gauge', about: 'Level.', unit: '1', series: [{ labels: {}, value }] } as const;
    expect(exposition([metric]).split('\n')[2]).toBe(`parley_level ${written}`);
  });

  it.each([
    [{ name: 'turns.finished', exportedAs: 'turn.duration', kind: 'histogram', unit: 'ms' }, 'parley_turn_duration_seconds'],
    [{ name: 'model.tokens', kind: 'counter', unit: 'tokens' }, 'parley_model_tokens_total'],
    [{ name: 'model.cost', kind: 'counter', unit: 'usd' }, 'parley_model_cost_usd_total'],
    [{ name: 'heap.used', kind: 'gauge', unit: 'bytes' }, 'parley_heap_used_bytes'],
    [{ name: 'process.start_time', kind: 'gauge', unit: 'ms' }, 'process_start_time_seconds'],
  ] as const)('names %j %s', (metric, name) => {
    expect(prometheusName(metric)).toBe(name);
  });
});
