// Figures over time: messages, replies, durations, tokens, cost, memory, size of the database.
import './statistics.css';
import type { StatisticsBucketView, StatisticsView } from 'parley-client';
import type { ComponentProps, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { parley } from '../../api.js';
import { formatBytes, formatCost, formatDuration, formatNumber, t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import { query, setQuery } from '../../router.js';
import { agents, watchAgents } from '../../store/agents.js';
import { Select } from '../../ui/controls.js';
import { Async } from '../../ui/states.js';
import { Chart, type Series } from './chart.js';

/** Of buckets that have just changed; a bucket of a day changes slowly, and a year of them is a lot to count. */
const INTERVALS_MS = { hour: 30_000, day: 300_000 } as const;
const HOUR_MS = 3_600_000;
/** Ranges by their name in the address. */
const RANGES = {
  day: { bucket: 'hour', buckets: 24 },
  week: { bucket: 'hour', buckets: 168 },
  month: { bucket: 'day', buckets: 30 },
  year: { bucket: 'day', buckets: 365 },
} as const;
type Range = keyof typeof RANGES;

export default function StatisticsPage(): JSX.Element {
  useEffect(watchAgents, []);
  const range = (Object.keys(RANGES) as Range[]).find((name) => name === query.value.get('range')) ?? 'day';
  const agentId = query.value.get('agent') ?? undefined;
  const statistics = useLoad(
    (signal) => parley.call('GET /api/server/statistics', { query: { ...limitsOf(range), agentId }, signal }),
    [range, agentId],
    { everyMs: INTERVALS_MS[RANGES[range].bucket] },
  );
  return (
    <div class="page">
      <header class="page-head">
        <h1 class="grow">{t('nav.statistics')}</h1>
        <div class="toolbar" role="search">
          <Select<Range>
            label={t('statistics.range')}
            value={range}
            options={(Object.keys(RANGES) as Range[]).map((value) => ({ value, label: t(`statistics.ranges.${value}`) }))}
            onSelect={(wanted) => setQuery({ range: wanted === 'day' ? undefined : wanted })}
          />
          <Select
            label={t('common.agent')}
            value={agentId ?? ''}
            options={[
              { value: '', label: t('common.allAgents') },
              ...(agents.value ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onSelect={(agent) => setQuery({ agent })}
          />
        </div>
      </header>
      <Async of={statistics}>
        {(data) => (
          <>
            <Totals of={data} />
            <Charts of={data} />
          </>
        )}
      </Async>
    </div>
  );
}

/** Whole hours or days of this place, of which the last one is running. */
function limitsOf(range: Range): { from: string; to: string; bucket: 'hour' | 'day' } {
  const { bucket, buckets } = RANGES[range];
  const end = new Date();
  if (bucket === 'hour') end.setHours(end.getHours() + 1, 0, 0, 0);
  else end.setHours(24, 0, 0, 0);
  const from = end.getTime() - buckets * (bucket === 'hour' ? HOUR_MS : 24 * HOUR_MS);
  return { from: String(from), to: String(end.getTime()), bucket };
}

function Totals({ of: { totals, memoryBytes, databaseBytes } }: { readonly of: StatisticsView }): JSX.Element {
  const { messages, completed, failed, durationP50Ms, durationP95Ms, modelCalls, inputTokens, outputTokens, costUsd } = totals;
  const ended = completed + failed;
  return (
    <dl class="totals">
      <Total name={t('statistics.messages')} value={formatNumber(messages)} />
      <Total name={t('statistics.answers')} value={formatNumber(completed)} />
      <Total
        name={t('statistics.failed')}
        value={formatNumber(failed)}
        {...(ended > 0 && { more: formatNumber(failed / ended, { style: 'percent', maximumFractionDigits: 1 }) })}
      />
      <Total
        name={t('statistics.median')}
        value={durationP50Ms === null ? '–' : formatDuration(durationP50Ms)}
        {...(durationP95Ms !== null && { more: t('statistics.most', { time: formatDuration(durationP95Ms) }) })}
      />
      <Total
        name={t('statistics.tokens')}
        value={formatNumber(inputTokens + outputTokens)}
        more={t('statistics.modelCalls', { count: modelCalls })}
      />
      {costUsd !== null && <Total name={t('statistics.cost')} value={formatCost(costUsd)} />}
      {memoryBytes !== null && <Total name={t('statistics.memoryNow')} value={formatBytes(memoryBytes)} />}
      {databaseBytes !== null && <Total name={t('statistics.databaseNow')} value={formatBytes(databaseBytes)} />}
    </dl>
  );
}

function Total({ name, value, more }: { readonly name: string; readonly value: string; readonly more?: string }): JSX.Element {
  return (
    <div class="card total">
      <dt class="small soft">{name}</dt>
      <dd>
        <span class="total-value figures">{value}</span> {more !== undefined && <span class="small faint">{more}</span>}
      </dd>
    </div>
  );
}

function Charts({ of }: { readonly of: StatisticsView }): JSX.Element {
  return (
    <div class="charts">
      <ConversationCharts of={of} />
      <ModelCharts of={of} />
      {of.buckets.some(({ memoryBytes }) => memoryBytes !== null) && <ServerCharts of={of} />}
    </div>
  );
}

type BucketChartProps = Omit<ComponentProps<typeof Chart>, 'times' | 'bucket' | 'series'> & {
  readonly of: StatisticsView;
  readonly series: readonly [name: string, colour: Series['colour'], value: (of: StatisticsBucketView) => number | null][];
};

/** A chart with a value of each bucket in each of its series. */
function BucketChart({ of: { buckets, bucket }, series, ...chart }: BucketChartProps): JSX.Element {
  const times = buckets.map(({ at }) => at);
  return (
    <Chart
      {...chart}
      times={times}
      bucket={bucket}
      series={series.map(([name, colour, value]) => ({ name, colour, values: buckets.map(value) }))}
    />
  );
}

function ConversationCharts({ of }: { readonly of: StatisticsView }): JSX.Element {
  return (
    <>
      <BucketChart
        of={of}
        title={t('statistics.messages')}
        shape="bars"
        format={formatNumber}
        series={[[t('statistics.messages'), 'kind-4', ({ messages }) => messages]]}
      />
      <BucketChart
        of={of}
        title={t('statistics.turns')}
        shape="bars"
        format={formatNumber}
        series={[
          [t('statistics.answers'), 'kind-4', ({ completed }) => completed],
          [t('statistics.cancelled'), 'kind-1', ({ cancelled }) => cancelled],
          [t('statistics.failed'), 'bad', ({ failed }) => failed],
        ]}
      />
      <BucketChart
        of={of}
        title={t('statistics.duration')}
        shape="lines"
        format={formatDuration}
        series={[
          [t('statistics.p50'), 'kind-4', ({ durationP50Ms }) => durationP50Ms],
          [t('statistics.p95'), 'kind-5', ({ durationP95Ms }) => durationP95Ms],
        ]}
      />
    </>
  );
}

function ModelCharts({ of }: { readonly of: StatisticsView }): JSX.Element {
  return (
    <>
      <BucketChart
        of={of}
        title={t('statistics.tokens')}
        shape="bars"
        format={formatNumber}
        series={[
          [t('statistics.input'), 'kind-2', ({ inputTokens }) => inputTokens],
          [t('statistics.output'), 'kind-3', ({ outputTokens }) => outputTokens],
        ]}
      />
      {of.buckets.some(({ costUsd }) => costUsd !== null) && (
        <BucketChart
          of={of}
          title={t('statistics.cost')}
          shape="bars"
          format={formatCost}
          series={[[t('statistics.cost'), 'kind-5', ({ costUsd }) => costUsd]]}
        />
      )}
    </>
  );
}

function ServerCharts({ of }: { readonly of: StatisticsView }): JSX.Element {
  return (
    <>
      <BucketChart
        of={of}
        title={t('statistics.memory')}
        shape="lines"
        format={formatBytes}
        series={[[t('statistics.memory'), 'kind-3', ({ memoryBytes }) => memoryBytes]]}
      />
      <BucketChart
        of={of}
        title={t('statistics.database')}
        shape="lines"
        format={formatBytes}
        series={[[t('statistics.database'), 'kind-7', ({ databaseBytes }) => databaseBytes]]}
      />
    </>
  );
}
