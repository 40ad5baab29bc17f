import type { JSX } from 'preact';
import { t } from '../../i18n.js';
import { agentName, agents, setRunning } from '../../store/agents.js';
import { Button } from '../../ui/controls.js';
import { attempt } from '../../ui/dialogs.js';

/** Says that no agent of a conversation runs, and starts them; nothing while one does. */
export function StoppedAgents({ agentIds }: { readonly agentIds: readonly string[] }): JSX.Element | null {
  const all = agents.value?.filter(({ id }) => agentIds.includes(id)) ?? [];
  if (all.length === 0 || all.some(({ status }) => status === 'active')) return null;
  return (
    <div class="notice warn">
      <span class="grow">{t('chat.agentStopped')}</span>
      {all.map(({ id }) => (
        <Button key={id} icon="play" needs="write" onClick={() => void attempt(() => setRunning(id, true))}>
          {t('chat.startAgent', { name: agentName(id) })}
        </Button>
      ))}
    </div>
  );
}
