import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { yieldToEventLoop } from '../clock/index.js';
import type { Hooks } from '../hooks/index.js';
import { MetricSources, type MetricSource } from './metric-sources.js';
import { meter } from './metrics.js';

const GOOD = meter.observed({ name: 'spec.good', kind: 'gauge', about: 'Good.' });
const COUNTED = meter.observed({ name: 'spec.counted', kind: 'gauge', about: 'Counted.' });

describe('sources of metrics', () => {
  const clock = new FakeClock();
  const good: MetricSource = { source: 'spec good', read: () => [GOOD.reading(1, {})] };

  const collecting = (...sources: MetricSource[]): MetricSources => {
    const hooks = { of: () => sources } as unknown as Hooks;
    return new MetricSources(hooks, clock);
  };
  const seriesOf = async (sources: MetricSources, name: string): Promise<unknown[] | undefined> =>
    (await sources.collect()).find((metric) => metric.name === name)?.series.map((series) => series);
  const failuresOf = (source: string): number =>
    (meter.snapshot().find(({ name }) => name === 'metrics.source.failures')?.series ?? []).reduce(
      (sum, series) => sum + (series.labels['source'] === source && 'value' in series ? series.value : 0),
      0,
    );

  it.each([
    [
      'throws',
      (): never => {
        throw new Error('no');
      },
    ],
    ['rejects', (): Promise<never> => Promise.reject(new Error('no'))],
  ])('counts a source that %s and still reads the others', async (how, read) => {
    const sources = collecting({ source: `spec ${how}`, read }, good);
    expect(await seriesOf(sources, 'spec.good')).toEqual([{ labels: {}, value: 1 }]);
    expect(failuresOf(`spec ${how}`)).toBe(1);
  });

  it('does not wait for a hanging source and does not read it again meanwhile', async () => {
    let asked = 0;
    let answer: (() => void) | undefined;
    const hanging: MetricSource = {
      source: 'spec hangs',
      read: () => {
        asked += 1;
        return new Promise((resolve) => {
          answer = () => resolve([COUNTED.reading(7, {})]);
        });
      },
    };
    const sources = collecting(hanging, good);
    const first = seriesOf(sources, 'spec.good');
    await yieldToEventLoop();
    clock.advance(4000);
    expect(await first).toEqual([{ labels: {}, value: 1 }]);
    expect(await seriesOf(sources, 'spec.good')).toEqual([{ labels: {}, value: 1 }]);
    expect([asked, failuresOf('spec hangs')]).toEqual([1, 2]);
    answer?.();
    await yieldToEventLoop();
    const again = seriesOf(sources, 'spec.counted');
    await yieldToEventLoop();
    answer?.();
    expect(await again).toEqual([{ labels: {}, value: 7 }]);
  });

  it('reads a source that queries the database once in 5 s, for any number of scrapers', async () => {
    let asked = 0;
    const sources = collecting({ source: 'spec counted', asksDatabase: true, read: () => [COUNTED.reading((asked += 1), {})] });
    await Promise.all([sources.collect(), sources.collect()]);
    clock.advance(4999);
    expect(await seriesOf(sources, 'spec.counted')).toEqual([{ labels: {}, value: 1 }]);
    clock.advance(1);
    expect(await seriesOf(sources, 'spec.counted')).toEqual([{ labels: {}, value: 2 }]);
  });
});
