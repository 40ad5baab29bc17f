// The page of a user: the facts that an agent has stored, export, and deletion of personal data.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { t } from '../../i18n.js';
import { query, setQuery } from '../../router.js';
import { agents, agentsError, loadAgents } from '../../store/agents.js';
import { Select } from '../../ui/controls.js';
import { Failure, Skeletons } from '../../ui/states.js';
import { Id } from '../../ui/text.js';
import { Forget } from './forget.js';
import { peopleIn, useRooms } from './people.js';
import { Profile } from './profile.js';

export function UserPage({ userId }: { readonly userId: string }): JSX.Element {
  const all = agents.value;
  const agentId = query.value.get('agent') ?? all?.[0]?.id;
  /** How often the user was forgotten on this page: what is shown of the user is then read again. */
  const forgotten = useSignal(0);
  const name = peopleIn(useRooms(agentId).value.data ?? []).get(userId);
  return (
    <div class="page">
      <header class="page-head">
        <h1 class="grow break">{name ?? t('memories.user.title')}</h1>
        <Select
          label={t('common.agent')}
          value={agentId ?? ''}
          options={(all ?? []).map((agent) => ({ value: agent.id, label: agent.name }))}
          onSelect={(agent) => setQuery({ agent })}
        />
        {agentId !== undefined && <a href={`/memories?agent=${agentId}&user=${userId}`}>{t('memories.user.memories')}</a>}
      </header>
      <Id id={userId} />
      {all === undefined &&
        (agentsError.value === undefined ? <Skeletons /> : <Failure error={agentsError.value} onRetry={() => void loadAgents()} />)}
      {agentId !== undefined && <Profile key={`${agentId} ${forgotten.value}`} agentId={agentId} userId={userId} />}
      <Forget
        userId={userId}
        onForgotten={() => {
          forgotten.value += 1;
        }}
      />
    </div>
  );
}
