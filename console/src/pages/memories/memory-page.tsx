import { useSignal } from '@preact/signals';
import type { MemoryHistoryView, MemoryVersionView, MemoryView } from 'parley-client';
import type { JSX } from 'preact';
import { parley } from '../../api.js';
import { t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import { userPlace } from '../../places.js';
import { navigate } from '../../router.js';
import { agentName } from '../../store/agents.js';
import { Button } from '../../ui/controls.js';
import { attempt } from '../../ui/dialogs.js';
import { Async, Empty } from '../../ui/states.js';
import { Id, Json, Time } from '../../ui/text.js';
import { deleteMemory } from './delete-memory.js';
import { EditText } from './edit-text.js';
import { memoryText, typeName } from './memory-text.js';
import { Origin } from './origin.js';

interface MemoryPageProps {
  readonly agentId: string;
  readonly memoryId: string;
}

/** One memory: its text to change, where it comes from, and its former versions to return to. */
export function MemoryPage({ agentId, memoryId }: MemoryPageProps): JSX.Element {
  const path = { agentId, memoryId };
  const memory = useLoad(() => parley.call('GET /api/agents/{agentId}/memories/{memoryId}', { path }), []);
  const history = useLoad(() => parley.call('GET /api/agents/{agentId}/memories/{memoryId}/history', { path, query: { limit: 100 } }), []);
  const change = async (work: () => Promise<unknown>): Promise<boolean> => {
    const done = await attempt(work, t('common.saved'));
    if (done) {
      memory.reload();
      history.reload();
    }
    return done;
  };
  const remove = async (): Promise<void> => {
    if (await deleteMemory(path)) navigate(`/memories?agent=${agentId}`, { replace: true });
  };
  return (
    <div class="page">
      <header class="page-head">
        <h1 class="grow">{t('memories.memory', { agent: agentName(agentId) })}</h1>
        <a href={`/memories?agent=${agentId}`}>{t('memories.all')}</a>
        <Button kind="danger" icon="trash" needs="write" onClick={() => void remove()}>
          {t('common.delete')}
        </Button>
      </header>
      <Async of={memory}>
        {(data) => (
          <>
            <Text
              memory={data}
              onSave={(text) =>
                change(() =>
                  parley.call('PATCH /api/agents/{agentId}/memories/{memoryId}', { path, body: { content: { ...data.content, text } } }),
                )
              }
            />
            <Facts memory={data} />
          </>
        )}
      </Async>
      <h2>{t('memories.history')}</h2>
      <Async of={history}>
        {(data) => (
          <History
            history={data}
            onUndo={(version) =>
              change(() => parley.call('POST /api/agents/{agentId}/memories/{memoryId}/undo', { path, body: { version } }))
            }
          />
        )}
      </Async>
    </div>
  );
}

function Text({ memory, onSave }: { readonly memory: MemoryView; readonly onSave: (text: string) => Promise<boolean> }): JSX.Element {
  const editing = useSignal(false);
  if (editing.value) {
    const { text } = memory.content;
    const close = (): void => {
      editing.value = false;
    };
    return (
      <div class="card pad">
        <EditText text={typeof text === 'string' ? text : ''} onSave={onSave} onClose={close} />
      </div>
    );
  }
  return (
    <div class="card pad stack">
      <p class="memory-text break">{memoryText(memory.content)}</p>
      <div class="row">
        <Button
          icon="edit"
          needs="write"
          onClick={() => {
            editing.value = true;
          }}
        >
          {t('common.edit')}
        </Button>
      </div>
    </div>
  );
}

function Facts({ memory }: { readonly memory: MemoryView }): JSX.Element {
  const { id, agentId, roomId, entityId, type, createdAt, metadata } = memory;
  const of = `/memories?agent=${agentId}&type=${encodeURIComponent(type)}`;
  return (
    <>
      <dl class="facts small">
        <dt>{t('memories.id')}</dt>
        <dd>
          <Id id={id} />
        </dd>
        <dt>{t('memories.type')}</dt>
        <dd>{typeName(type)}</dd>
        <dt>{t('common.time')}</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
        <dt>{t('memories.author')}</dt>
        <dd>
          <Id id={entityId} href={entityId === agentId ? `/agents/${agentId}` : userPlace(agentId, entityId)} />
        </dd>
        <dt>{t('memories.room')}</dt>
        <dd>
          <Id id={roomId} href={`${of}&room=${roomId}`} />
        </dd>
        <dt>{t('memories.source')}</dt>
        <dd class="row wrap">
          <Origin memory={memory} />
        </dd>
      </dl>
      <details>
        <summary>{t('memories.metadata')}</summary>
        <Json value={metadata} label={t('memories.metadata')} />
      </details>
    </>
  );
}

function History({
  history,
  onUndo,
}: {
  readonly history: MemoryHistoryView;
  readonly onUndo: (version: number) => Promise<boolean>;
}): JSX.Element {
  if (history.versions.length === 0) return <Empty icon="clock" title={t('memories.noHistory')} />;
  return (
    <ul class="card memory-list">
      {history.versions.map((version) => (
        <Version key={version.version} version={version} onUndo={onUndo} />
      ))}
    </ul>
  );
}

function Version({
  version: { version, content, changedAt, changedBy },
  onUndo,
}: {
  readonly version: MemoryVersionView;
  readonly onUndo: (version: number) => Promise<boolean>;
}): JSX.Element {
  return (
    <li class="row">
      <div class="grow list-item">
        <p class="memory-text break">{memoryText(content)}</p>
        <p class="faint small break">
          {t('memories.changed', { version, by: changedBy })} <Time at={changedAt} />
        </p>
      </div>
      <Button needs="write" onClick={() => void onUndo(version)}>
        {t('memories.restore', { version })}
      </Button>
    </li>
  );
}
