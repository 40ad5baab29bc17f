import './chat.css';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { ForbiddenError } from 'parley-client';
import { conversationOf, conversations, loadConversations, openChannel } from '../../chat/conversations.js';
import { t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import type { PageProps } from '../../page-props.js';
import { query } from '../../router.js';
import { agents, agentsError, loadAgents, watchAgents } from '../../store/agents.js';
import { LinkButton } from '../../ui/controls.js';
import { notifyError } from '../../ui/dialogs.js';
import { Async, Empty, Failure, Skeletons } from '../../ui/states.js';
import { AgentsPane } from './agents-pane.js';
import { ConversationView } from './conversation-view.js';
import { Draft } from './draft.js';
import { explained, pane } from './panes.js';
import { WhyPane } from './why-pane.js';

export default function ChatPage({ params }: PageProps): JSX.Element {
  const { channelId } = params;
  useEffect(watchAgents, []);
  useEffect(() => {
    // Without the permission to list sessions, those of this browser are all.
    loadConversations().catch((error: unknown) => {
      if (!(error instanceof ForbiddenError)) notifyError(error);
    });
  }, []);
  useEffect(() => {
    explained.value = undefined;
    pane.value = 'chat';
  }, [channelId]);
  const selected = channelId === undefined ? draftAgent() : conversationOf(channelId)?.agentIds[0];
  return (
    <div class={`chat show-${pane.value}`}>
      <AgentsPane agentId={selected} channelId={channelId} />
      <section class="chat-middle" aria-label={t('chat.conversation')}>
        {channelId === undefined ? <NewConversation agentId={selected} /> : <Conversation key={channelId} channelId={channelId} />}
      </section>
      <WhyPane />
    </div>
  );
}

/** The agent of a conversation that has not begun: the one of the address, or the first that runs. */
function draftAgent(): string | undefined {
  const all = agents.value ?? [];
  const wanted = query.value.get('agent');
  return (all.find(({ id }) => id === wanted) ?? all.find(({ status }) => status === 'active') ?? all[0])?.id;
}

function NewConversation({ agentId }: { readonly agentId: string | undefined }): JSX.Element {
  if (agents.value === undefined) {
    return agentsError.value === undefined ? <Skeletons /> : <Failure error={agentsError.value} onRetry={() => void loadAgents()} />;
  }
  if (agentId === undefined) {
    return (
      <Empty icon="agent" title={t('chat.noAgents')}>
        <p>{t('chat.noAgentsHint')}</p>
        <LinkButton kind="primary" icon="plus" needs="write" href="/agents/new">
          {t('agents.new')}
        </LinkButton>
      </Empty>
    );
  }
  return <Draft key={agentId} agentId={agentId} />;
}

function Conversation({ channelId }: { readonly channelId: string }): JSX.Element {
  const opened = useLoad(async () => conversationOf(channelId) ?? (await openChannel(channelId)), [channelId]);
  return (
    <Async of={opened}>
      {(conversation) => <ConversationView conversation={conversations.value.find((one) => one.channelId === channelId) ?? conversation} />}
    </Async>
  );
}
