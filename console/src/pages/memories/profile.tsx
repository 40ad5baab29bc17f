// The facts that an agent has noted about a user.
import { useSignal } from '@preact/signals';
import type { FactView } from 'parley-client';
import type { JSX } from 'preact';
import { parley } from '../../api.js';
import { t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import { memoryPlace } from '../../places.js';
import { Badge, Button } from '../../ui/controls.js';
import { attempt } from '../../ui/dialogs.js';
import { Async, Empty } from '../../ui/states.js';
import { Time } from '../../ui/text.js';
import { deleteMemory } from './delete-memory.js';
import { EditText } from './edit-text.js';
import { memoryText } from './memory-text.js';
import { Origin } from './origin.js';

interface ProfileProps {
  readonly agentId: string;
  readonly userId: string;
}

export function Profile({ agentId, userId }: ProfileProps): JSX.Element {
  const profile = useLoad(() => parley.call('GET /api/memory/{agentId}/users/{userId}/profile', { path: { agentId, userId } }), []);
  return (
    <section class="stack" aria-labelledby="facts">
      <h2 id="facts">{t('memories.user.facts')}</h2>
      <p class="soft">{t('memories.user.factsHint')}</p>
      <Async of={profile}>
        {({ facts }) =>
          facts.length === 0 ? (
            <Empty icon="user" title={t('memories.user.noFacts')}>
              <p>{t('memories.user.noFactsHint')}</p>
            </Empty>
          ) : (
            <ul class="card memory-list">
              {facts.map((fact) => (
                <Fact key={fact.id} agentId={agentId} fact={fact} onChange={profile.reload} />
              ))}
            </ul>
          )
        }
      </Async>
    </section>
  );
}

interface FactProps {
  readonly agentId: string;
  readonly fact: FactView;
  readonly onChange: () => void;
}

function Fact({ agentId, fact, onChange }: FactProps): JSX.Element {
  const editing = useSignal(false);
  const { id, text, key, validFrom, validUntil, sources } = fact;
  const path = { agentId, memoryId: id };
  const save = async (changed: string): Promise<boolean> => {
    const saved = await attempt(
      () => parley.call('PATCH /api/agents/{agentId}/memories/{memoryId}', { path, body: { content: { text: changed } } }),
      t('common.saved'),
    );
    if (saved) onChange();
    return saved;
  };
  const remove = async (): Promise<void> => {
    if (await deleteMemory(path)) onChange();
  };
  return (
    <li class="fact stack tight">
      <div class="row wrap">
        <span class={`grow break ${validUntil === null ? '' : 'faint'}`}>{text}</span>
        {key !== '' && <Badge>{key}</Badge>}
        <Button
          needs="write"
          kind="plain"
          icon="edit"
          label={t('memories.user.correct', { text })}
          onClick={() => {
            editing.value = true;
          }}
        />
        <Button kind="plain" icon="trash" label={t('memories.user.deleteFact', { text })} needs="write" onClick={() => void remove()} />
      </div>
      {editing.value && (
        <EditText
          text={text}
          onSave={save}
          onClose={() => {
            editing.value = false;
          }}
        />
      )}
      <p class="row wrap small faint">
        <span>
          {t('memories.user.since')} <Time at={validFrom} />
        </span>
        {validUntil !== null && (
          <span>
            {t('memories.user.until')} <Time at={validUntil} />
          </span>
        )}
        <a href={memoryPlace(agentId, id)}>{t('memories.user.asMemory')}</a>
      </p>
      <Sources agentId={agentId} sources={sources} />
    </li>
  );
}

/** The memories that a fact was extracted from, which are loaded once they are asked for. */
function Sources({ agentId, sources }: { readonly agentId: string; readonly sources: FactView['sources'] }): JSX.Element {
  const shown = useSignal(false);
  return (
    <details
      class="small"
      onToggle={(event) => {
        shown.value = event.currentTarget.open;
      }}
    >
      <summary>{t('memories.user.sources', { count: sources.length })}</summary>
      {shown.value && (
        <ul class="fact-sources">
          {sources.map((source) => (
            <Source key={source} agentId={agentId} memoryId={source} />
          ))}
        </ul>
      )}
    </details>
  );
}

function Source({ agentId, memoryId }: { readonly agentId: string; readonly memoryId: string }): JSX.Element {
  const memory = useLoad(() => parley.call('GET /api/agents/{agentId}/memories/{memoryId}', { path: { agentId, memoryId } }), []);
  return (
    <li>
      <Async of={memory}>
        {(data) => (
          <>
            <q class="soft break">{memoryText(data.content)}</q>
            <span class="row wrap faint">
              <Time at={data.createdAt} />
              <Origin memory={data} />
              <a href={memoryPlace(agentId, memoryId)}>{t('memories.user.asMemory')}</a>
            </span>
          </>
        )}
      </Async>
    </li>
  );
}
