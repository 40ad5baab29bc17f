// The list of all agents: found by words and state, switched on and off, made and imported.
import { signal, useSignal } from '@preact/signals';
import type { AgentEntry } from 'parley-client';
import type { JSX } from 'preact';
import { t } from '../../i18n.js';
import { agents, agentsError, loadAgents } from '../../store/agents.js';
import { Button, Dot, LinkButton, Search, Select } from '../../ui/controls.js';
import { Empty, Failure, Skeletons } from '../../ui/states.js';
import { VirtualList } from '../../ui/virtual-list.js';
import { ImportDialog } from './import-dialog.js';
import { RunningSwitch } from './running-switch.js';

const ROW_PX = 52;
const STATES = ['all', 'active', 'inactive'] as const;
type State = (typeof STATES)[number];

// Kept while the person looks at one agent after the other.
const words = signal('');
const state = signal<State>('all');

export function AgentList({ selected }: { readonly selected: string | undefined }): JSX.Element {
  const importing = useSignal(false);
  const all = agents.value;
  const wanted = words.value.trim().toLowerCase();
  const shown = all?.filter((agent) => (state.value === 'all' || agent.status === state.value) && matches(agent, wanted)) ?? [];
  const Heading = selected === undefined ? 'h1' : 'h2';
  return (
    <div class="agents-list">
      <div class="agents-list-head">
        <div class="row">
          <Heading class="grow page-title">{t('nav.agents')}</Heading>
          <Button kind="plain" icon="file" label={t('agents.import')} needs="write" onClick={() => (importing.value = true)} />
          <LinkButton kind="primary" icon="plus" needs="write" href="/agents/new">
            {t('agents.newShort')}
          </LinkButton>
        </div>
        <div class="row">
          <Search value={words.value} onInput={(text) => (words.value = text)} label={t('agents.find')} />
          <Select<State>
            label={t('common.status')}
            value={state.value}
            options={STATES.map((value) => ({ value, label: t(`agents.states.${value}`) }))}
            onSelect={(value) => (state.value = value)}
          />
        </div>
        {all !== undefined && (
          <p class="small faint figures" role="status">
            {shown.length === all.length
              ? t('agents.count', { count: all.length, running: all.filter(({ status }) => status === 'active').length })
              : t('agents.found', { count: shown.length, all: all.length })}
          </p>
        )}
      </div>
      <div class="agents-list-rows">
        <Rows all={all} shown={shown} selected={selected} />
      </div>
      {importing.value && <ImportDialog onClose={() => (importing.value = false)} />}
    </div>
  );
}

function matches({ name, username = '', bio, topics, id }: AgentEntry, wanted: string): boolean {
  if (wanted === '') return true;
  return id === wanted || [name, username, bio, ...topics].some((text) => text.toLowerCase().includes(wanted));
}

interface RowsProps {
  readonly all: readonly AgentEntry[] | undefined;
  readonly shown: readonly AgentEntry[];
  readonly selected: string | undefined;
}

function Rows({ all, shown, selected }: RowsProps): JSX.Element {
  if (all === undefined) {
    return agentsError.value === undefined ? <Skeletons /> : <Failure error={agentsError.value} onRetry={() => void loadAgents()} />;
  }
  if (all.length === 0) {
    return (
      <Empty icon="agent" title={t('chat.noAgents')}>
        <p>{t('chat.noAgentsHint')}</p>
      </Empty>
    );
  }
  if (shown.length === 0) return <Empty icon="search" title={t('agents.noneFound')} />;
  return (
    <VirtualList items={shown} keyOf={({ id }) => id} estimate={ROW_PX} label={t('nav.agents')}>
      {(agent) => <Row agent={agent} selected={agent.id === selected} />}
    </VirtualList>
  );
}

function Row({ agent, selected }: { readonly agent: AgentEntry; readonly selected: boolean }): JSX.Element {
  const running = agent.status === 'active';
  return (
    <div class="agents-row" data-selected={selected}>
      <a class="grow row" href={`/agents/${agent.id}`} aria-current={selected ? 'page' : undefined}>
        <Dot {...(running && { tone: 'ok' as const })} label={running ? t('chat.running') : t('chat.stopped')} />
        <span class="grow">
          <span class="block truncate strong">{agent.name}</span>
          <span class="block truncate small faint">{agent.bio}</span>
        </span>
      </a>
      <RunningSwitch agentId={agent.id} name={agent.name} running={running} />
    </div>
  );
}
