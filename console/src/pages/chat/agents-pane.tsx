import { useSignal } from '@preact/signals';
import type { AgentEntry } from 'parley-client';
import type { JSX } from 'preact';
import { initialOf } from '../../cut-text.js';
import { conversations, hide, startGroup, type Conversation } from '../../chat/conversations.js';
import { ProtocolBadges, protocolsIn } from '../../chat/protocols.js';
import { formatTime, t } from '../../i18n.js';
import { rename, myName } from '../../identity.js';
import { navigate } from '../../router.js';
import { agents, agentName, agentsError, loadAgents, setRunning } from '../../store/agents.js';
import { Button, Check, Dot, Field, LinkButton, Search, Switch } from '../../ui/controls.js';
import { attempt, Dialog, Menu } from '../../ui/dialogs.js';
import { Failure, Skeletons } from '../../ui/states.js';
import { VirtualList } from '../../ui/virtual-list.js';
import { atMost } from '../../ui/characters.js';

const ROW_PX = 46;
/** With more agents there is a search above the list. */
const MANY = 8;

interface PaneProps {
  readonly agentId: string | undefined;
  readonly channelId: string | undefined;
}

/** Left of the chat: the agents with their state, and the conversations with the selected one. */
export function AgentsPane({ agentId, channelId }: PaneProps): JSX.Element {
  const search = useSignal('');
  const grouping = useSignal(false);
  const all = agents.value;
  const wanted = search.value.trim().toLowerCase();
  const shown = all?.filter(({ name }) => name.toLowerCase().includes(wanted)) ?? [];
  return (
    <aside class="agents-pane" aria-label={t('nav.agents')}>
      <div class="pane-head">
        <h2 class="grow">{t('nav.agents')}</h2>
        <LinkButton kind="plain" icon="plus" label={t('agents.new')} needs="write" href="/agents/new" />
        <Button kind="plain" icon="group" label={t('chat.newGroup')} needs="write" onClick={() => (grouping.value = true)} />
      </div>
      {(all?.length ?? 0) > MANY && <Search value={search.value} onInput={(text) => (search.value = text)} label={t('chat.findAgent')} />}
      <div class="agent-list">
        {all === undefined &&
          (agentsError.value === undefined ? <Skeletons /> : <Failure error={agentsError.value} onRetry={() => void loadAgents()} />)}
        {all !== undefined && (
          <VirtualList items={shown} keyOf={({ id }) => id} estimate={ROW_PX} label={t('nav.agents')}>
            {(agent) => <AgentRow agent={agent} selected={agent.id === agentId} />}
          </VirtualList>
        )}
      </div>
      <ConversationList agentId={agentId} channelId={channelId} />
      <Me />
      {grouping.value && <GroupDialog onClose={() => (grouping.value = false)} />}
    </aside>
  );
}

function AgentRow({ agent, selected }: { readonly agent: AgentEntry; readonly selected: boolean }): JSX.Element {
  const busy = useSignal(false);
  const running = agent.status === 'active';
  const toggle = async (checked: boolean): Promise<void> => {
    busy.value = true;
    await attempt(() => setRunning(agent.id, checked));
    busy.value = false;
  };
  return (
    <div class="agent-row" data-selected={selected}>
      <a class="grow row" href={`/?agent=${agent.id}`} aria-current={selected ? 'true' : undefined}>
        <span class="avatar" aria-hidden="true">
          {initialOf(agent.name)}
        </span>
        <span class="grow">
          <span class="truncate strong agent-name">{agent.name}</span>
          <span class="row small faint">
            <Dot {...(running && { tone: 'ok' as const })} />
            {running ? t('chat.running') : t('chat.stopped')}
          </span>
        </span>
      </a>
      <Switch
        label={t(running ? 'chat.stopAgent' : 'chat.startAgent', { name: agent.name })}
        needs="write"
        checked={running}
        disabled={busy.value}
        onChange={(checked) => void toggle(checked)}
      />
    </div>
  );
}

function ConversationList({ agentId, channelId }: PaneProps): JSX.Element {
  const shown = conversations.value.filter(({ agentIds }) => agentId !== undefined && agentIds.includes(agentId));
  return (
    <div class="conversation-list">
      <div class="pane-head">
        <h3 class="grow">{t('chat.conversations')}</h3>
        <a class="button plain" href={agentId === undefined ? '/' : `/?agent=${agentId}`}>
          {t('chat.new')}
        </a>
      </div>
      {shown.length === 0 && <p class="small faint pad">{t('chat.noConversations')}</p>}
      <ul class="conversation-items">
        {shown.map((conversation) => (
          <li key={conversation.channelId} class="conversation-row">
            <a
              class="list-item grow"
              href={`/chat/${conversation.channelId}`}
              aria-current={conversation.channelId === channelId ? 'page' : undefined}
            >
              <span class="truncate block">{titleOf(conversation)}</span>
              <span class="row small faint">
                {subtitleOf(conversation)}
                <ProtocolBadges protocols={protocolsIn([conversation.protocol])} />
              </span>
            </a>
            <Menu
              label={t('chat.conversationActions', { title: titleOf(conversation) })}
              items={[
                {
                  label: t('chat.hide'),
                  icon: 'close',
                  onSelect: () => {
                    hide(conversation);
                    if (conversation.channelId === channelId) navigate(`/?agent=${agentId ?? ''}`);
                  },
                },
              ]}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

export function titleOf({ title, agentIds }: Conversation): string {
  return title === '' ? t('chat.untitled', { agent: agentIds.map(agentName).join(', ') }) : title;
}

function subtitleOf(conversation: Conversation): string {
  const at = formatTime(conversation.lastActivity);
  if (conversation.agentIds.length > 1) return `${t('chat.agentCount', { count: conversation.agentIds.length })} · ${at}`;
  return at;
}

/** The name under which this person speaks. */
function Me(): JSX.Element {
  const editing = useSignal(false);
  const name = useSignal(myName.value);
  return (
    <div class="me">
      <Button kind="plain" icon="user" class="grow" onClick={() => (editing.value = true)}>
        <span class="truncate">{myName.value === '' ? t('chat.you') : myName.value}</span>
      </Button>
      {editing.value && (
        <Dialog title={t('chat.yourName')} onClose={() => (editing.value = false)}>
          <form
            class="stack"
            onSubmit={(event) => {
              event.preventDefault();
              rename(name.value.trim());
              editing.value = false;
            }}
          >
            <Field label={t('common.name')} hint={t('chat.yourNameHint')}>
              <input class="input" value={name.value} {...atMost(100)} onInput={(event) => (name.value = event.currentTarget.value)} />
            </Field>
            <div class="dialog-actions">
              <Button kind="primary" type="submit">
                {t('common.save')}
              </Button>
            </div>
          </form>
        </Dialog>
      )}
    </div>
  );
}

function GroupDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const name = useSignal('');
  const chosen = useSignal<readonly string[]>([]);
  const create = async (event: Event): Promise<void> => {
    event.preventDefault();
    await attempt(async () => {
      const { channelId } = await startGroup(name.value.trim(), chosen.value);
      onClose();
      navigate(`/chat/${channelId}`);
    });
  };
  return (
    <Dialog title={t('chat.newGroup')} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void create(event)}>
        <Field label={t('common.name')} hint={t('chat.groupHint')}>
          <input class="input" required value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} />
        </Field>
        <fieldset class="plain-fieldset stack tight">
          <legend>{t('nav.agents')}</legend>
          {(agents.value ?? [])
            .filter(({ status }) => status === 'active')
            .map(({ id, name: label }) => (
              <Check
                key={id}
                label={label}
                checked={chosen.value.includes(id)}
                onChange={(checked) => (chosen.value = checked ? [...chosen.value, id] : chosen.value.filter((one) => one !== id))}
              />
            ))}
        </fieldset>
        <div class="dialog-actions">
          <Button kind="primary" type="submit" disabled={name.value.trim() === '' || chosen.value.length === 0}>
            {t('common.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
