import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { initialOf } from '../../cut-text.js';
import { startConversation } from '../../chat/conversations.js';
import { readerOf } from '../../chat/readers.js';
import { suggestions } from '../../chat/suggestions.js';
import { t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import { parley } from '../../api.js';
import { navigate } from '../../router.js';
import { refusal } from '../../permissions.js';
import { agentName, agents } from '../../store/agents.js';
import { attempt } from '../../ui/dialogs.js';
import { Composer, uploadTo } from './composer.js';
import { PaneButtons } from './pane-buttons.js';
import { StoppedAgents } from './stopped-agents.js';
import { UseFromApp } from './use-from-app.js';

/** A conversation that begins with its first message: the channel is created when it is sent. */
export function Draft({ agentId }: { readonly agentId: string }): JSX.Element {
  const busy = useSignal(false);
  const agent = agents.value?.find(({ id }) => id === agentId);
  const details = useLoad(() => parley.call('GET /api/agents/{agentId}', { path: { agentId } }), [agentId]);
  const send = async (text: string, files: readonly File[]): Promise<boolean> => {
    busy.value = true;
    const sent = await attempt(async () => {
      const { channelId } = await startConversation(agentId, text);
      const attachments = await uploadTo(channelId, files);
      // The failure of the message is shown beside it.
      void readerOf(channelId)
        .post({ text, attachments })
        .catch(() => undefined);
      navigate(`/chat/${channelId}`);
    });
    busy.value = false;
    return sent;
  };
  const open = async (): Promise<string> => {
    const { channelId } = await startConversation(agentId, '');
    navigate(`/chat/${channelId}`);
    return channelId;
  };
  const character = details.value.data;
  const offered = character === undefined ? [] : suggestions(character);
  return (
    <div class="conversation">
      <header class="conversation-head">
        <h1 class="grow truncate">{agentName(agentId)}</h1>
        <UseFromApp agentId={agentId} />
        <PaneButtons />
      </header>
      <div class="draft scroll">
        <span class="avatar large" aria-hidden="true">
          {initialOf(agentName(agentId))}
        </span>
        <p class="strong">{t('chat.ready', { name: agentName(agentId) })}</p>
        {character?.bio !== undefined && <p class="soft draft-bio">{[character.bio].flat().join(' ')}</p>}
        {offered.length > 0 && <Suggestions questions={offered} disabled={busy.value} onChoose={(question) => void send(question, [])} />}
        <StoppedAgents agentIds={[agentId]} />
      </div>
      <Composer
        draftKey={`new.${agentId}`}
        disabled={busy.value || agent?.status === 'inactive'}
        onSend={send}
        voice={{ open, agentId }}
        agentName={agentName(agentId)}
      />
    </div>
  );
}

interface SuggestionsProps {
  readonly questions: readonly string[];
  readonly disabled: boolean;
  readonly onChoose: (question: string) => void;
}

function Suggestions({ questions, disabled, onChoose }: SuggestionsProps): JSX.Element {
  return (
    <div class="row wrap suggestions">
      {questions.map((question) => (
        <button
          key={question}
          type="button"
          class="button"
          disabled={disabled || refusal('write') !== undefined}
          title={refusal('write')}
          onClick={() => onChoose(question)}
        >
          {question}
        </button>
      ))}
    </div>
  );
}
