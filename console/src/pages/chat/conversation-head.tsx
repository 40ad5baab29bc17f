import { useSignal } from '@preact/signals';
import type { MessageView } from '@parley/client';
import type { JSX } from 'preact';
import { parley } from '../../api.js';
import type { ChannelReader } from '../../chat/channel-reader.js';
import { end, isOver, renew, retitle, suggestTitle, type Conversation } from '../../chat/conversations.js';
import { now } from '../../clock.js';
import { formatDuration, t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import { agentName } from '../../store/agents.js';
import { Badge, Button, Field, Search } from '../../ui/controls.js';
import { attempt, confirm, Dialog, Menu, notify } from '../../ui/dialogs.js';
import { Async, Empty } from '../../ui/states.js';
import { Time } from '../../ui/text.js';
import { titleOf } from './agents-pane.js';
import { PaneButtons } from './pane-buttons.js';
import { UseFromApp } from './use-from-app.js';

/** Time left below which it is shown as a warning, ms. */
const SOON_MS = 5 * 60_000;

interface HeadProps {
  readonly conversation: Conversation;
  readonly reader: ChannelReader;
  readonly onShow: (messageId: string) => void;
}

export function ConversationHead({ conversation, reader, onShow }: HeadProps): JSX.Element {
  const searching = useSignal(false);
  const renaming = useSignal(false);
  const { sessionId, agentIds } = conversation;
  const isSession = sessionId !== undefined && !isOver(conversation, now.value);
  return (
    <header class="conversation-head">
      <div class="grow">
        <h1 class="truncate">{titleOf(conversation)}</h1>
        <span class="small faint truncate block">{agentIds.map(agentName).join(', ')}</span>
      </div>
      <TimeLeft conversation={conversation} />
      <Button
        kind="plain"
        icon="search"
        label={t('chat.search')}
        aria-pressed={searching.value}
        onClick={() => (searching.value = !searching.value)}
      />
      {agentIds[0] !== undefined && <UseFromApp agentId={agentIds[0]} {...(sessionId !== undefined && { sessionId })} />}
      <Menu
        label={t('common.actions')}
        items={[
          { label: t('chat.rename'), icon: 'edit', onSelect: () => (renaming.value = true) },
          ...(isSession
            ? [
                {
                  label: t('chat.renew'),
                  icon: 'clock' as const,
                  onSelect: () => void attempt(() => renew(conversation), t('chat.renewed')),
                },
                { label: t('chat.end'), icon: 'stop' as const, onSelect: () => void endSession(conversation) },
              ]
            : []),
        ]}
      />
      <PaneButtons />
      {searching.value && <SearchDialog reader={reader} onShow={onShow} onClose={() => (searching.value = false)} />}
      {renaming.value && <RenameDialog conversation={conversation} onClose={() => (renaming.value = false)} />}
    </header>
  );
}

async function endSession(conversation: Conversation): Promise<void> {
  const asked = { title: t('chat.end'), text: t('chat.endHint'), action: t('chat.end'), danger: true };
  if (await confirm(asked)) await attempt(() => end(conversation));
}

/** The time until the session expires, with a way to renew it when it is short. */
function TimeLeft({ conversation }: { readonly conversation: Conversation }): JSX.Element | null {
  const { expiresAt, sessionId } = conversation;
  if (sessionId === undefined || expiresAt === undefined) return null;
  if (isOver(conversation, now.value)) return <Badge tone="warn">{t('chat.over')}</Badge>;
  const left = expiresAt - now.value;
  const text = t('chat.timeLeft', { time: formatDuration(left) });
  if (left > SOON_MS) return <Badge>{text}</Badge>;
  return (
    <span class="row">
      <Badge tone="warn">{text}</Badge>
      <Button onClick={() => void attempt(() => renew(conversation), t('chat.renewed'))}>{t('chat.renew')}</Button>
    </span>
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
            maxLength={200}
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
                        {message.authorName ?? t('chat.you')} · <Time at={message.createdAt} />
                      </span>
                      <span class="break found-text">{message.content}</span>
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
