// The log of the server, live, and the logs of agents.
import './logs.css';
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { t } from '../../i18n.js';
import { query, setQuery } from '../../router.js';
import { agents, watchAgents } from '../../store/agents.js';
import { Button, Dot, Search, Select, Tabs } from '../../ui/controls.js';
import { Empty, Failure, Skeletons } from '../../ui/states.js';
import { VirtualList } from '../../ui/virtual-list.js';
import { AgentLog } from './agent-log.js';
import { fieldsOf, LOWEST, type Line, type LogFilter } from './log-lines.js';
import { LogReader } from './log-reader.js';
import { LogRow, RequestId } from './log-row.js';

const ROW_PX = 28;
const TYPING_MS = 250;
const VIEWS = ['server', 'agents'] as const;
type View = (typeof VIEWS)[number];

export default function LogsPage(): JSX.Element {
  useEffect(watchAgents, []);
  const view: View = query.value.get('view') === 'agents' ? 'agents' : 'server';
  return (
    <div class="logs-page">
      <header class="page-head">
        <h1 class="grow">{t('nav.logs')}</h1>
        <LogTools view={view} />
      </header>
      <Tabs<View>
        label={t('nav.logs')}
        tabs={VIEWS.map((id) => ({ id, label: t(`logs.view.${id}`) }))}
        selected={view}
        panel="log"
        onSelect={(wanted) => setQuery({ view: wanted === 'server' ? undefined : wanted, requestId: undefined, type: undefined })}
      />
      <div id="log" class="log-panel" role="tabpanel" aria-label={t(`logs.view.${view}`)}>
        {view === 'server' ? <ServerLog /> : <AgentLog />}
      </div>
    </div>
  );
}

/** What both views are filtered by: agent, level, text. */
function LogTools({ view }: { readonly view: View }): JSX.Element {
  const all = agents.value ?? [];
  const search = query.value.get('search') ?? '';
  const typed = useSignal(search);
  useEffect(() => {
    const timer = setTimeout(() => setQuery({ search: typed.value }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed.value]);
  const names = all.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <div class="toolbar" role="search">
      <Select
        label={t('common.agent')}
        value={query.value.get('agent') ?? (view === 'agents' ? (all[0]?.id ?? '') : '')}
        options={view === 'agents' ? names : [{ value: '', label: t('common.allAgents') }, ...names]}
        onSelect={(agent) => setQuery({ agent })}
      />
      <Select
        label={t('logs.minLevel')}
        value={query.value.get('level') ?? ''}
        options={[
          { value: '', label: t('logs.allLevels') },
          ...LOWEST.map((name) => ({
            value: name,
            label: t(view === 'server' ? 'logs.andUp' : 'logs.only', { level: t(`logs.level.${name}`) }),
          })),
        ]}
        onSelect={(level) => setQuery({ level })}
      />
      <Search
        value={typed.value}
        onInput={(text) => {
          typed.value = text;
        }}
      />
    </div>
  );
}

function filterOf(parameters: URLSearchParams): LogFilter {
  const level = parameters.get('level');
  return {
    minLevel: LOWEST.find((name) => name === level),
    agentId: parameters.get('agent') ?? undefined,
    requestId: parameters.get('requestId') ?? undefined,
    search: parameters.get('search') ?? undefined,
  };
}

function ServerLog(): JSX.Element {
  const reader = useMemo(() => new LogReader(), []);
  const open = useSignal<ReadonlySet<string>>(new Set());
  const filter = filterOf(query.value);
  useEffect(() => () => reader.close(), []);
  useEffect(() => void reader.show(filter), [JSON.stringify(filter)]);
  const toggle = (key: string): void => {
    const next = new Set(open.value);
    if (!next.delete(key)) next.add(key);
    open.value = next;
  };
  const lines = reader.lines.value;
  if (reader.phase.value === 'failed' && lines.length === 0) {
    return <Failure error={reader.fault.value} onRetry={() => void reader.show(filter)} />;
  }
  return (
    <>
      <LogState reader={reader} filter={filter} />
      {reader.phase.value === 'loading' && <Skeletons lines={12} />}
      {reader.phase.value !== 'loading' && lines.length === 0 && (
        <Empty icon="log" title={t('logs.none')}>
          <p>{t('logs.noneHint')}</p>
        </Empty>
      )}
      {reader.phase.value !== 'loading' && lines.length > 0 && (
        <VirtualList<Line>
          items={lines}
          keyOf={({ key }) => key}
          label={t('logs.view.server')}
          estimate={ROW_PX}
          fromEnd
          role="log"
          class="log-list"
        >
          {({ key, entry }) => (
            <LogRow
              level={entry.level}
              at={entry.time}
              source={entry.part}
              text={entry.msg}
              fields={fieldsOf(entry)}
              links={
                <>
                  {entry.agentName !== undefined && entry.agentId !== undefined && (
                    <a href={`/logs?agent=${entry.agentId}`}>{entry.agentName}</a>
                  )}
                  {entry.requestId !== undefined && <RequestId id={entry.requestId} />}
                </>
              }
              value={entry}
              open={open.value.has(key)}
              onToggle={() => toggle(key)}
            />
          )}
        </VirtualList>
      )}
    </>
  );
}

/** How many lines are shown, whether more come by themselves, and the request that they are limited to. */
function LogState({ reader, filter }: { readonly reader: LogReader; readonly filter: LogFilter }): JSX.Element {
  const paused = reader.paused.value;
  const { following, lines, held } = reader;
  const state = paused ? 'paused' : following.value ? 'live' : 'connecting';
  return (
    <div class="row wrap log-state">
      <span class="row small soft">
        <Dot tone={state === 'live' ? 'ok' : state === 'paused' ? 'warn' : 'busy'} />
        {t(`logs.state.${state}`)}
      </span>
      <span class="small faint figures">{t('logs.count', { count: lines.value.length })}</span>
      {filter.requestId !== undefined && (
        <span class="badge">
          {t('logs.requestOf', { id: filter.requestId })}
          <Button kind="plain" icon="close" label={t('logs.allRequests')} onClick={() => setQuery({ requestId: undefined })} />
        </span>
      )}
      <span class="grow" />
      <Button icon={paused ? 'play' : 'stop'} aria-pressed={paused} onClick={() => reader.pause(!paused)}>
        {paused ? t('logs.resume', { count: held.value }) : t('logs.pause')}
      </Button>
    </div>
  );
}
