import './runs.css';
import { useSignal } from '@preact/signals';
import type { RunSummaryView, RunsView } from '@parley/client';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { parley } from '../../api.js';
import { formatDuration, t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import type { PageProps } from '../../pages.js';
import { query, setQuery } from '../../router.js';
import { agentName, agents, watchAgents } from '../../store/agents.js';
import { Badge, Button, Select, type Tone } from '../../ui/controls.js';
import { attempt } from '../../ui/dialogs.js';
import { Async, Empty, Skeletons } from '../../ui/states.js';
import { Id, Time } from '../../ui/text.js';
import { Why } from '../../why/why.js';

const STATUSES = ['all', 'started', 'completed', 'timeout', 'error'] as const;
type Status = (typeof STATUSES)[number];
const TONES: Readonly<Record<RunSummaryView['status'], Tone>> = { started: 'info', completed: 'ok', timeout: 'bad', error: 'bad' };
const INTERVAL_MS = 5000;
const PAGE = 50;

export default function RunsPage({ params }: PageProps): JSX.Element {
  useEffect(watchAgents, []);
  const { agentId, runId } = params;
  return agentId !== undefined && runId !== undefined ? <RunPage agentId={agentId} runId={runId} /> : <RunList />;
}

function RunPage({ agentId, runId }: { readonly agentId: string; readonly runId: string }): JSX.Element {
  const run = useLoad(() => parley.call('GET /api/agents/{agentId}/runs/{runId}', { path: { agentId, runId } }), [agentId, runId]);
  return (
    <div class="page run-page">
      <header class="page-head">
        <h1 class="grow">{t('runs.run', { agent: agentName(agentId) })}</h1>
        <a href={`/runs?agent=${agentId}`}>{t('runs.all')}</a>
      </header>
      <Async of={run}>
        {({ summary }) => (
          <dl class="facts small">
            <dt>{t('runs.id')}</dt>
            <dd>
              <Id id={runId} />
            </dd>
            <dt>{t('common.channel')}</dt>
            <dd>
              <a href={`/chat/${summary.channelId}`}>{t('runs.conversation')}</a>
            </dd>
          </dl>
        )}
      </Async>
      <div class="card">
        <h2 class="visually-hidden">{t('why.title')}</h2>
        <Why agentId={agentId} runId={runId} live />
      </div>
    </div>
  );
}

function RunList(): JSX.Element {
  const all = agents.value;
  const agentId = query.value.get('agent') ?? all?.[0]?.id;
  const status = STATUSES.find((name) => name === query.value.get('status')) ?? 'all';
  return (
    <div class="page">
      <header class="page-head">
        <h1 class="grow">{t('nav.runs')}</h1>
        <div class="toolbar">
          <Select
            label={t('common.agent')}
            value={agentId ?? ''}
            options={(all ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            onSelect={(agent) => setQuery({ agent })}
          />
          <Select<Status>
            label={t('common.status')}
            value={status}
            options={STATUSES.map((name) => ({ value: name, label: name === 'all' ? t('runs.every') : t(`why.status.${name}`) }))}
            onSelect={(wanted) => setQuery({ status: wanted === 'all' ? undefined : wanted })}
          />
        </div>
      </header>
      {all === undefined && <Skeletons />}
      {all?.length === 0 && <Empty icon="agent" title={t('chat.noAgents')} />}
      {agentId !== undefined && <RunsOf key={`${agentId}${status}`} agentId={agentId} status={status} />}
    </div>
  );
}

function RunsOf({ agentId, status }: { readonly agentId: string; readonly status: Status }): JSX.Element {
  const load = (cursor?: string): Promise<RunsView> =>
    parley.call('GET /api/agents/{agentId}/runs', { path: { agentId }, query: { status, limit: PAGE, cursor } });
  const newest = useLoad(() => load(), [agentId, status], { everyMs: INTERVAL_MS });
  const older = useSignal<RunsView | undefined>(undefined);
  const more = (cursor: string): Promise<boolean> =>
    attempt(async () => {
      const page = await load(cursor);
      older.value = { ...page, runs: [...(older.value?.runs ?? []), ...page.runs] };
    });
  return (
    <Async of={newest}>
      {(page) => {
        const shown = new Map([...page.runs, ...(older.value?.runs ?? [])].map((run) => [run.runId, run]));
        const { nextCursor } = older.value ?? page;
        if (shown.size === 0) return <Empty icon="run" title={t('runs.none')} />;
        return (
          <>
            <div class="table-scroll card">
              <table class="table">
                <thead>
                  <tr>
                    <th scope="col">{t('common.time')}</th>
                    <th scope="col">{t('common.status')}</th>
                    <th scope="col" class="number">
                      {t('common.duration')}
                    </th>
                    <th scope="col" class="number">
                      {t('runs.modelCalls')}
                    </th>
                    <th scope="col" class="number">
                      {t('runs.tools')}
                    </th>
                    <th scope="col" class="number">
                      {t('runs.errors')}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {[...shown.values()].map((run) => (
                    <RunRow key={run.runId} run={run} agentId={agentId} />
                  ))}
                </tbody>
              </table>
            </div>
            {nextCursor !== null && <Button onClick={() => void more(nextCursor)}>{t('common.more')}</Button>}
          </>
        );
      }}
    </Async>
  );
}

function RunRow({ run, agentId }: { readonly run: RunSummaryView; readonly agentId: string }): JSX.Element {
  const { runId, status, startedAt, durationMs, counts } = run;
  return (
    <tr>
      <td>
        <a href={`/runs/${agentId}/${runId}`}>{startedAt === null ? t('runs.queued') : <Time at={startedAt} />}</a>
      </td>
      <td>
        <Badge tone={TONES[status]}>{t(`why.status.${status}`)}</Badge>
      </td>
      <td class="number">{durationMs === null ? '…' : formatDuration(durationMs)}</td>
      <td class="number">{counts.modelCalls}</td>
      <td class="number">{counts.actions}</td>
      <td class="number">{counts.errors}</td>
    </tr>
  );
}
