// The runs of all agents, the newest first, brought up to date by themselves.
import { useSignal } from '@preact/signals';
import type { AllRunsView, RunSummaryView } from 'parley-client';
import type { JSX } from 'preact';
import { parley } from '../../api.js';
import { formatCost, formatDuration, formatNumber, t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import { query } from '../../router.js';
import { Badge, Button, type Tone } from '../../ui/controls.js';
import { attempt } from '../../ui/dialogs.js';
import { Async, Empty } from '../../ui/states.js';
import { plainText } from '../../ui/markdown.js';
import { Time } from '../../ui/text.js';
import { reasonName } from '../../why/reasons.js';
import { filterOf, RunFilters, type RunFilter } from './run-filters.js';

const TONES: Readonly<Record<RunSummaryView['status'], Tone>> = { started: 'info', completed: 'ok', timeout: 'bad', error: 'bad' };
const INTERVAL_MS = 3000;
const PAGE = 50;

export function RunList(): JSX.Element {
  const filter = filterOf(query.value);
  return (
    <div class="page">
      <header class="page-head">
        <h1 class="grow">{t('nav.runs')}</h1>
        <RunFilters filter={filter} />
      </header>
      <Runs key={JSON.stringify(filter)} filter={filter} />
    </div>
  );
}

function Runs({ filter }: { readonly filter: RunFilter }): JSX.Element {
  const { agentId, channelId, status, minDurationMs, withinMs } = filter;
  const load = async (cursor?: string): Promise<AllRunsView> => {
    const from = withinMs === undefined ? undefined : String(Date.now() - withinMs);
    return parley.call('GET /api/runs', { query: { agentId, channelId, status, minDurationMs, from, limit: PAGE, cursor } });
  };
  // A run that other runs push off the first page stays.
  const known = useSignal<readonly RunSummaryView[]>([]);
  const next = useSignal<string | null | undefined>(undefined);
  const newest = useLoad(
    async () => {
      const page = await load();
      known.value = page.hasMore ? [...page.runs, ...behind(page.runs, known.value)] : page.runs;
      return page;
    },
    [],
    { everyMs: INTERVAL_MS },
  );
  const more = (cursor: string): Promise<boolean> =>
    attempt(async () => {
      const page = await load(cursor);
      known.value = [...known.value, ...behind(known.value, page.runs)];
      next.value = page.nextCursor;
    });
  return (
    <Async of={newest}>
      {({ nextCursor }) => {
        const cursor = next.value === undefined ? nextCursor : next.value;
        return (
          <>
            {known.value.length === 0 ? <Empty icon="run" title={t('runs.none')} /> : <RunTable runs={known.value} />}
            {cursor !== null && <Button onClick={() => void more(cursor)}>{t('common.more')}</Button>}
          </>
        );
      }}
    </Async>
  );
}

/** Those of `runs` that are older than all of `newer`. */
function behind(newer: readonly RunSummaryView[], runs: readonly RunSummaryView[]): readonly RunSummaryView[] {
  const oldest = newer.at(-1);
  const ids = new Set(newer.map(({ runId }) => runId));
  return runs.filter(({ runId, createdAt }) => !ids.has(runId) && (oldest === undefined || createdAt <= oldest.createdAt));
}

function RunTable({ runs }: { readonly runs: readonly RunSummaryView[] }): JSX.Element {
  const longest = Math.max(1, ...runs.map(({ durationMs }) => durationMs ?? 0));
  const priced = runs.some(({ costUsd }) => costUsd !== null);
  return (
    <div class="table-scroll card" role="region" aria-label={t('nav.runs')} tabIndex={0}>
      <table class="table runs-table">
        <thead>
          <tr>
            <th scope="col">{t('common.time')}</th>
            <th scope="col">{t('common.agent')}</th>
            <th scope="col">{t('runs.said')}</th>
            <th scope="col">{t('common.status')}</th>
            <th scope="col" class="number">
              {t('common.duration')}
            </th>
            <th scope="col">
              <span class="visually-hidden">{t('runs.compared')}</span>
            </th>
            <th scope="col" class="number">
              {t('runs.modelCalls')}
            </th>
            <th scope="col" class="number">
              {t('why.tokens')}
            </th>
            {priced && (
              <th scope="col" class="number">
                {t('runs.cost')}
              </th>
            )}
            <th scope="col" class="number">
              {t('runs.tools')}
            </th>
            <th scope="col" class="number">
              {t('runs.errors')}
            </th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <RunRow key={run.runId} run={run} longest={longest} priced={priced} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RunRowProps {
  readonly run: RunSummaryView;
  /** Of the runs beside it, ms. */
  readonly longest: number;
  readonly priced: boolean;
}

function RunRow({ run, longest, priced }: RunRowProps): JSX.Element {
  const {
    runId,
    agentId,
    agentName,
    status,
    createdAt,
    startedAt,
    durationMs,
    counts,
    inputTokens,
    outputTokens,
    costUsd,
    errorCode,
    question,
    answer,
  } = run;
  const tokens = inputTokens === null && outputTokens === null ? '' : `${count(inputTokens)} → ${count(outputTokens)}`;
  return (
    <tr>
      <td>
        <a href={`/runs/${agentId}/${runId}`}>
          <Time at={createdAt} />
        </a>
      </td>
      <td>{agentName ?? <span class="faint">{t('runs.deletedAgent')}</span>}</td>
      <td class="run-said">
        <span class="truncate block">{question === null ? <span class="faint">{t('why.deleted')}</span> : plainText(question)}</span>
        {answer !== null && <span class="truncate block small soft">{plainText(answer)}</span>}
      </td>
      <td>
        <Badge tone={TONES[status]}>{startedAt === null && status === 'started' ? t('runs.queued') : t(`why.status.${status}`)}</Badge>{' '}
        {errorCode !== null && (
          <span class="small soft" title={errorCode}>
            {reasonName(errorCode)}
          </span>
        )}
      </td>
      <td class="number">{durationMs === null ? '…' : formatDuration(durationMs)}</td>
      <td>
        <span class="run-bar" aria-hidden="true">
          <span class={status} style={{ width: `${((durationMs ?? 0) / longest) * 100}%` }} />
        </span>
      </td>
      <td class="number">{counts.modelCalls}</td>
      <td class="number soft">{tokens}</td>
      {priced && <td class="number soft">{costUsd === null ? '' : formatCost(costUsd)}</td>}
      <td class="number">{counts.actions}</td>
      <td class={`number ${counts.errors > 0 ? 'run-errors' : 'faint'}`}>{counts.errors}</td>
    </tr>
  );
}

function count(tokens: number | null): string {
  return tokens === null ? '?' : formatNumber(tokens);
}
