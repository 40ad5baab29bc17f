// The agents of the server, and the one in the address.
import './agents.css';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { t } from '../../i18n.js';
import type { PageProps } from '../../page-props.js';
import { watchAgents } from '../../store/agents.js';
import { Empty } from '../../ui/states.js';
import { AgentList } from './agent-list.js';
import { NewAgent, StoredAgent } from './agent-page.js';

export default function AgentsPage({ params: { id } }: PageProps): JSX.Element {
  useEffect(watchAgents, []);
  return (
    <div class={`split agents-page ${id === undefined ? '' : 'detail-open'}`}>
      <AgentList selected={id} />
      <section class="agent-detail" aria-label={t('common.agent')}>
        <Detail id={id} />
      </section>
    </div>
  );
}

function Detail({ id }: { readonly id: string | undefined }): JSX.Element {
  if (id === 'new') return <NewAgent />;
  if (id !== undefined) return <StoredAgent key={id} agentId={id} />;
  return (
    <Empty icon="agent" title={t('agents.choose')}>
      <p>{t('agents.chooseHint')}</p>
    </Empty>
  );
}
