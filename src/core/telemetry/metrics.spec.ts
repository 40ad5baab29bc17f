import { describe, expect, it } from '@jest/globals';
import { Meter, MAX_SERIES, OTHER_LABEL } from './metrics.js';

describe('Meter', () => {
  it('counts, by label if a metric has labels', () => {
    const meter = new Meter();
    const plain = meter.counter({ name: 'plain', about: 'Plain.' });
    const ended = meter.counter({ name: 'ended', about: 'Ended.', labels: { outcome: ['done', 'failed'], by: null } });
    plain.add();
    plain.add(3);
    ended.with({ outcome: 'done', by: 'ada' }).add();
    ended.with({ outcome: 'done', by: 'bob' }).add(2);
    ended.with({ outcome: 'done', by: 'ada' }).add();
    expect(meter.snapshot()).toEqual([
      { name: 'plain', kind: 'counter', about: 'Plain.', unit: '1', series: [{ labels: {}, value: 4 }] },
      {
        name: 'ended',
        kind: 'counter',
        about: 'Ended.',
        unit: '1',
        series: [
          { labels: { outcome: 'done', by: 'ada' }, value: 2 },
          { labels: { outcome: 'done', by: 'bob' }, value: 2 },
        ],
      },
    ]);
  });

  it('does not compile with a wrong label or value', () => {
    const ended = new Meter().counter({ name: 'ended', about: 'Ended.', labels: { outcome: ['done', 'failed'] } });
    // @ts-expect-error a value that the label does not have
    ended.with({ outcome: 'lost' });
    // @ts-expect-error a label that the metric does not have
    ended.with({ outcome: 'done', agent: 'ada' });
    // @ts-expect-error a label is missing
    expect(() => ended.with({})).not.toThrow();
  });

  it('raises and lowers a gauge', () => {
    const meter = new Meter();
    const open = meter.gauge({ name: 'open', about: 'Open.' });
    open.add(1);
    open.add(1);
    open.add(-1);
    expect(meter.snapshot()[0]?.series).toEqual([{ labels: {}, value: 1 }]);
  });

  it('counts a value in the first bucket whose bound is not below the value', () => {
    const meter = new Meter();
    const took = meter.histogram({ name: 'took', about: 'Took.', unit: 'ms', bounds: [10, 100] });
    for (const ms of [1, 10, 11, 100, 101, 5000]) took.observe(ms);
    expect(meter.snapshot()[0]).toMatchObject({ unit: 'ms', bounds: [10, 100], series: [{ count: 6, sum: 5223, buckets: [2, 2, 2] }] });
  });

  it('limits the series of a label whose values clients choose', () => {
    const meter = new Meter();
    const asked = meter.counter({ name: 'asked', about: 'Asked.', labels: { path: null, kind: ['a'] } });
    for (let path = 0; path < MAX_SERIES + 5; path++) asked.with({ path: `/${path}`, kind: 'a' }).add();
    asked.with({ path: '/0', kind: 'a' }).add();
    const series = meter.snapshot()[0]!.series;
    expect(series).toHaveLength(MAX_SERIES + 1);
    expect(series[0]).toEqual({ labels: { path: '/0', kind: 'a' }, value: 2 });
    expect(series.at(-1)).toEqual({ labels: { path: OTHER_LABEL, kind: OTHER_LABEL }, value: 5 });
  });

  it('starts the series of known labels at 0, so that their first increase is visible', () => {
    const meter = new Meter();
    meter.counter({ name: 'known', about: 'Known.', labels: { a: ['1', '2'], b: ['x', 'y'] } });
    meter.counter({ name: 'open', about: 'Open.', labels: { a: ['1'], b: null } });
    const [known, open] = meter.snapshot();
    expect(known?.series).toEqual(['1', '2'].flatMap((a) => ['x', 'y'].map((b) => ({ labels: { a, b }, value: 0 }))));
    expect(open?.series).toEqual([]);
  });

  it('defines metrics whose values are read on demand', () => {
    const meter = new Meter();
    const depth = meter.observed({ name: 'depth', kind: 'gauge', about: 'Depth.', labels: { queue: null } });
    expect(meter.snapshot()).toEqual([{ name: 'depth', kind: 'gauge', about: 'Depth.', unit: '1', series: [] }]);
    expect(meter.defined().get(depth.reading(3, { queue: 'a' }).metric)).toMatchObject({ name: 'depth', labels: { queue: null } });
    // @ts-expect-error a label that the metric does not have
    depth.reading(1, { line: 'a' });
  });

  it('rejects a second metric with the same name', () => {
    const meter = new Meter();
    meter.counter({ name: 'same', about: 'One.' });
    expect(() => meter.gauge({ name: 'same', about: 'Another.' })).toThrow('the metric same is defined twice');
  });
});
