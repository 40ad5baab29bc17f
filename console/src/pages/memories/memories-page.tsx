import './memories.css';
import { useSignal } from '@preact/signals';
import type { MemoriesView, MemoryView } from '@parley/client';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { parley } from '../../api.js';
import { t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import type { PageProps } from '../../pages.js';
import { query, setQuery } from '../../router.js';
import { agents, agentsFault, loadAgents, watchAgents } from '../../store/agents.js';
import { Button, Search, Select, Tabs } from '../../ui/controls.js';
import { attempt } from '../../ui/dialogs.js';
import { Async, Empty, Failure, Skeletons } from '../../ui/states.js';
import { Id, Time } from '../../ui/text.js';
import { MemoryPage } from './memory-page.js';
import { memoryText } from './memory-text.js';
import { Recall } from './recall.js';

const TYPES = ['messages', 'facts', 'documents'] as const;
const PAGE = 50;
const TYPING_MS = 250;

export default function MemoriesPage({ params }: PageProps): JSX.Element {
  useEffect(watchAgents, []);
  const { agentId, memoryId } = params;
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
          onSelect={(agent) => setQuery({ agent })}
        />
      </header>
      {all === undefined &&
        (agentsFault.value === undefined ? <Skeletons /> : <Failure error={agentsFault.value} onRetry={() => void loadAgents()} />)}
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
            {view === 'recall' ? <Recall key={agentId} agentId={agentId} /> : <Stored agentId={agentId} />}
          </div>
        </>
      )}
    </div>
  );
}

/** The memories of an agent; type, words, room and author are in the address. */
function Stored({ agentId }: { readonly agentId: string }): JSX.Element {
  const type = query.value.get('type') ?? TYPES[0];
  const search = query.value.get('search') ?? '';
  const user = query.value.get('user') ?? undefined;
  const room = query.value.get('room') ?? undefined;
  const typed = useSignal(search);
  useEffect(() => {
    const timer = setTimeout(() => setQuery({ search: typed.value }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed.value]);
  const types = TYPES.some((name) => name === type) ? TYPES : [...TYPES, type];
  return (
    <>
      <div class="toolbar">
        <Select
          label={t('memories.type')}
          value={type}
          options={types.map((name) => ({ value: name, label: name }))}
          onSelect={(name) => setQuery({ type: name })}
        />
        <Search
          value={typed.value}
          onInput={(text) => {
            typed.value = text;
          }}
        />
        {user !== undefined && <Filter label={t('memories.author')} id={user} onClear={() => setQuery({ user: undefined })} />}
        {room !== undefined && <Filter label={t('memories.room')} id={room} onClear={() => setQuery({ room: undefined })} />}
      </div>
      <List key={JSON.stringify([agentId, type, search, user, room])} {...{ agentId, type, search, user, room }} />
    </>
  );
}

function Filter({ label, id, onClear }: { readonly label: string; readonly id: string; readonly onClear: () => void }): JSX.Element {
  return (
    <span class="row small">
      {label} <Id id={id} />
      <Button kind="plain" icon="close" label={t('memories.clearFilter', { name: label })} onClick={onClear} />
    </span>
  );
}

interface ListProps {
  readonly agentId: string;
  readonly type: string;
  readonly search: string;
  readonly user: string | undefined;
  readonly room: string | undefined;
}

function List({ agentId, type, search, user, room }: ListProps): JSX.Element {
  const load = (before?: string): Promise<MemoriesView> =>
    parley.call('GET /api/agents/{agentId}/memories', {
      path: { agentId },
      query: { tableName: type, search: search.trim() || undefined, entityId: user, roomId: room, before, limit: String(PAGE) },
    });
  const newest = useLoad(() => load(), []);
  const older = useSignal<MemoriesView | undefined>(undefined);
  const more = (before: string): Promise<boolean> =>
    attempt(async () => {
      const page = await load(before);
      older.value = { ...page, memories: [...(older.value?.memories ?? []), ...page.memories] };
    });
  return (
    <Async of={newest}>
      {(page) => {
        const memories = [...page.memories, ...(older.value?.memories ?? [])];
        const { nextCursor } = older.value ?? page;
        if (memories.length === 0) return <Empty icon="memory" title={t('memories.none')} />;
        return (
          <>
            <ul class="card memory-list">
              {memories.map((memory) => (
                <Row key={memory.id} memory={memory} />
              ))}
            </ul>
            {nextCursor !== null && <Button onClick={() => void more(nextCursor)}>{t('common.more')}</Button>}
          </>
        );
      }}
    </Async>
  );
}

function Row({ memory }: { readonly memory: MemoryView }): JSX.Element {
  return (
    <li>
      <a class="list-item" href={`/memories/${memory.agentId}/${memory.id}`}>
        <span class="memory-excerpt break">{memoryText(memory.content)}</span>
        <span class="faint small">
          <Time at={memory.createdAt} />
        </span>
      </a>
    </li>
  );
}
