import './memories.css';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { t } from '../../i18n.js';
import type { PageProps } from '../../page-props.js';
import { query, setQuery } from '../../router.js';
import { agents, agentsError, loadAgents, watchAgents } from '../../store/agents.js';
import { Select, Tabs } from '../../ui/controls.js';
import { Empty, Failure, Skeletons } from '../../ui/states.js';
import { MemoryPage } from './memory-page.js';
import { Recall } from './recall.js';
import { Stored } from './stored.js';
import { UserPage } from './user-page.js';

export default function MemoriesPage({ params }: PageProps): JSX.Element {
  useEffect(watchAgents, []);
  const { agentId, memoryId, userId } = params;
  if (userId !== undefined) return <UserPage key={userId} userId={userId} />;
  if (agentId !== undefined && memoryId !== undefined) return <MemoryPage key={memoryId} agentId={agentId} memoryId={memoryId} />;
  return <Memories />;
}

function Memories(): JSX.Element {
  const all = agents.value;
  const agentId = query.value.get('agent') ?? all?.[0]?.id;
  const view = query.value.get('view') === 'recall' ? 'recall' : 'stored';
  return (
    <div class="page">
      <header class="page-head">
        <h1 class="grow">{t('nav.memories')}</h1>
        <Select
          label={t('common.agent')}
          value={agentId ?? ''}
          options={(all ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          onSelect={(agent) => setQuery({ agent, user: undefined, room: undefined })}
        />
      </header>
      {all === undefined &&
        (agentsError.value === undefined ? <Skeletons /> : <Failure error={agentsError.value} onRetry={() => void loadAgents()} />)}
      {all?.length === 0 && <Empty icon="agent" title={t('chat.noAgents')} />}
      {agentId !== undefined && (
        <>
          <Tabs
            label={t('nav.memories')}
            tabs={[
              { id: 'stored', label: t('memories.stored') },
              { id: 'recall', label: t('memories.recall') },
            ]}
            selected={view}
            onSelect={(id) => setQuery({ view: id === 'recall' ? id : undefined })}
            panel="memories-panel"
          />
          <div id="memories-panel" role="tabpanel" aria-label={t(`memories.${view}`)} class="stack">
            {view === 'recall' ? <Recall key={agentId} agentId={agentId} /> : <Stored key={agentId} agentId={agentId} />}
          </div>
        </>
      )}
    </div>
  );
}
