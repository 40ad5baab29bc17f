import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { startSession } from '../../chat/conversations.js';
import { readerOf } from '../../chat/readers.js';
import { t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import { parley } from '../../api.js';
import { navigate } from '../../router.js';
import { agentName, agents } from '../../store/agents.js';
import { attempt } from '../../ui/dialogs.js';
import { Composer, uploadTo } from './composer.js';
import { PaneButtons } from './pane-buttons.js';
import { UseFromApp } from './use-from-app.js';

/** A conversation that begins with its first message: the session is created when it is sent. */
export function Draft({ agentId }: { readonly agentId: string }): JSX.Element {
  const busy = useSignal(false);
  const agent = agents.value?.find(({ id }) => id === agentId);
  const details = useLoad(() => parley.call('GET /api/agents/{agentId}', { path: { agentId } }), [agentId]);
  const send = async (text: string, files: readonly File[]): Promise<boolean> => {
    busy.value = true;
    const sent = await attempt(async () => {
      const { channelId, sessionId } = await startSession(agentId, text);
      const attachments = await uploadTo(channelId, files);
      // The failure of the message is shown beside it.
      void readerOf(channelId)
        .post({ text, attachments }, sessionId)
        .catch(() => undefined);
      navigate(`/chat/${channelId}`);
    });
    busy.value = false;
    return sent;
  };
  const open = async (): Promise<string> => {
    const { channelId } = await startSession(agentId, '');
    navigate(`/chat/${channelId}`);
    return channelId;
  };
  const character = details.value.data;
  return (
    <div class="conversation">
      <header class="conversation-head">
        <h1 class="grow truncate">{agentName(agentId)}</h1>
        <UseFromApp agentId={agentId} />
        <PaneButtons />
      </header>
      <div class="draft scroll">
        <span class="avatar large" aria-hidden="true">
          {agentName(agentId).slice(0, 1).toUpperCase()}
        </span>
        <p class="strong">{t('chat.ready', { name: agentName(agentId) })}</p>
        {character?.bio !== undefined && <p class="soft draft-bio">{[character.bio].flat().join(' ')}</p>}
        {character?.topics && character.topics.length > 0 && (
          <div class="row wrap suggestions">
            {character.topics.slice(0, 4).map((topic) => (
              <button
                key={topic}
                type="button"
                class="button"
                disabled={busy.value}
                onClick={() => void send(t('chat.askAbout', { topic }), [])}
              >
                {t('chat.askAbout', { topic })}
              </button>
            ))}
          </div>
        )}
        {agent?.status === 'inactive' && <p class="notice warn">{t('chat.agentStopped')}</p>}
      </div>
      <Composer
        disabled={busy.value || agent?.status === 'inactive'}
        onSend={send}
        voice={{ open, agentId }}
        agentName={agentName(agentId)}
      />
    </div>
  );
}
