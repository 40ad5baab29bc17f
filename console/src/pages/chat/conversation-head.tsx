import { useSignal } from '@preact/signals';
import type { MessageView } from 'parley-client';
import type { JSX } from 'preact';
import { parley } from '../../api.js';
import type { ChannelReader } from '../../chat/channel-reader.js';
import { personName } from '../../chat/channel-name.js';
import { BranchLink, ProtocolBadges, protocolsIn } from '../../chat/protocols.js';
import { retitle, suggestTitle, type Conversation } from '../../chat/conversations.js';
import { t } from '../../i18n.js';
import { myId, myName } from '../../identity.js';
import { useLoad } from '../../load.js';
import { agentName } from '../../store/agents.js';
import { Button, Field, Search } from '../../ui/controls.js';
import { attempt, Dialog, Menu, notify } from '../../ui/dialogs.js';
import { plainText } from '../../ui/markdown.js';
import { Async, Empty } from '../../ui/states.js';
import { Time } from '../../ui/text.js';
import { titleOf } from './agents-pane.js';
import { PaneButtons } from './pane-buttons.js';
import { UseFromApp } from './use-from-app.js';
import { atMost } from '../../ui/characters.js';

interface HeadProps {
  readonly conversation: Conversation;
  readonly reader: ChannelReader;
  readonly onShow: (messageId: string) => void;
}

export function ConversationHead({ conversation, reader, onShow }: HeadProps): JSX.Element {
  const searching = useSignal(false);
  const renaming = useSignal(false);
  const { agentIds, branchOf } = conversation;
  const protocols = protocolsIn([conversation.protocol, ...reader.state.value.messages.map(({ metadata }) => metadata['protocol'])]);
  return (
    <header class="conversation-head">
      <div class="grow">
        <h1 class="truncate">{titleOf(conversation)}</h1>
        <div class="row small faint conversation-facts">
          <span class="truncate">{agentIds.map(agentName).join(', ')}</span>
          <ProtocolBadges protocols={protocols} />
          {branchOf !== undefined && <BranchLink href={`/chat/${branchOf}`} />}
        </div>
      </div>
      <Button
        kind="plain"
        icon="search"
        label={t('chat.search')}
        aria-pressed={searching.value}
        onClick={() => (searching.value = !searching.value)}
      />
      {agentIds[0] !== undefined && <UseFromApp agentId={agentIds[0]} />}
      <Menu
        label={t('common.actions')}
        items={[{ label: t('chat.rename'), icon: 'edit', needs: 'write', onSelect: () => (renaming.value = true) }]}
      />
      <PaneButtons />
      {searching.value && <SearchDialog reader={reader} onShow={onShow} onClose={() => (searching.value = false)} />}
      {renaming.value && <RenameDialog conversation={conversation} onClose={() => (renaming.value = false)} />}
    </header>
  );
}

function RenameDialog({ conversation, onClose }: { readonly conversation: Conversation; readonly onClose: () => void }): JSX.Element {
  const title = useSignal(titleOf(conversation));
  const suggest = async (): Promise<void> => {
    const suggested = await suggestTitle(conversation);
    if (suggested === null) notify(t('chat.tooShort'));
    else title.value = suggested;
  };
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (await attempt(() => retitle(conversation, title.value.trim()))) onClose();
  };
  return (
    <Dialog title={t('chat.rename')} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void save(event)}>
        <Field label={t('chat.title')}>
          <input
            class="input"
            required
            {...atMost(200)}
            value={title.value}
            onInput={(event) => (title.value = event.currentTarget.value)}
          />
        </Field>
        <div class="dialog-actions">
          <Button icon="spark" onClick={() => void attempt(suggest)}>
            {t('chat.suggestTitle')}
          </Button>
          <Button kind="primary" type="submit" disabled={title.value.trim() === ''}>
            {t('common.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function SearchDialog({ reader, onShow, onClose }: Omit<HeadProps, 'conversation'> & { readonly onClose: () => void }): JSX.Element {
  const words = useSignal('');
  const query = words.value.trim();
  const found = useLoad(
    async (signal): Promise<readonly MessageView[]> => {
      if (query === '') return [];
      const body = { query, channelId: reader.channelId, limit: 50 };
      return (await parley.call('POST /api/messaging/messages/search', { body, signal })).messages;
    },
    [query, reader.channelId],
  );
  return (
    <Dialog title={t('chat.search')} onClose={onClose}>
      <Search value={words.value} onInput={(text) => (words.value = text)} />
      {query !== '' && (
        <Async of={found}>
          {(messages) =>
            messages.length === 0 ? (
              <Empty icon="search" title={t('chat.nothingFound')} />
            ) : (
              <ul class="found scroll">
                {messages.map((message) => (
                  <li key={message.id}>
                    <button
                      type="button"
                      class="list-item found-item"
                      onClick={() => {
                        onClose();
                        onShow(message.id);
                      }}
                    >
                      <span class="small faint">
                        {message.authorId === myId ? myName.value || t('chat.you') : personName(message.authorName)} ·{' '}
                        <Time at={message.createdAt} />
                      </span>
                      <span class="break found-text">{plainText(message.content)}</span>
                    </button>
                  </li>
                ))}
              </ul>
            )
          }
        </Async>
      )}
    </Dialog>
  );
}
