import { useComputed, useSignal } from '@preact/signals';
import type { ChannelMessage } from '@parley/client';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { live } from '../../api.js';
import type { ChannelReader } from '../../chat/channel-reader.js';
import type { OutgoingMessage, PendingReply } from '../../chat/channel-state.js';
import { change, isOver, refresh, startSession, type Conversation } from '../../chat/conversations.js';
import { readerOf } from '../../chat/readers.js';
import { now } from '../../clock.js';
import { t } from '../../i18n.js';
import { navigate } from '../../router.js';
import { agentName, agents } from '../../store/agents.js';
import { Button } from '../../ui/controls.js';
import { attempt, notifyFault } from '../../ui/dialogs.js';
import { Empty, Failure, Skeletons } from '../../ui/states.js';
import { VirtualList, type ListControls } from '../../ui/virtual-list.js';
import { Composer, uploadTo } from './composer.js';
import { ConversationHead } from './conversation-head.js';
import { MessageItem, OutgoingItem, ReplyItem } from './message-item.js';
import { explain } from './panes.js';

type Item =
  | { readonly kind: 'message'; readonly key: string; readonly message: ChannelMessage }
  | { readonly kind: 'outgoing'; readonly key: string; readonly outgoing: OutgoingMessage }
  | { readonly kind: 'reply'; readonly key: string; readonly reply: PendingReply };

const ROW_PX = 96;

export function ConversationView({ conversation }: { readonly conversation: Conversation }): JSX.Element {
  const { channelId, sessionId, agentIds } = conversation;
  const reader = readerOf(channelId);
  const list = useRef<ListControls>(null);
  const items = useComputed(() => itemsOf(reader));
  const running = useComputed(() => reader.state.value.replies.filter(({ status }) => status === 'running'));
  const over = isOver(conversation, now.value);
  const stopped = agentIds.length > 0 && agents.value !== undefined && !agentIds.some(isRunning);
  useFollowedReply(reader);
  useSessionEvents(reader, conversation);

  const send = async (text: string, files: readonly File[]): Promise<boolean> => {
    const attachments = await uploadTo(channelId, files);
    // The failure of the message is shown beside it.
    reader.post({ text, attachments }, sessionId).catch(() => undefined);
    list.current?.scrollToEnd();
    return true;
  };
  const restart = (): Promise<boolean> =>
    attempt(async () => {
      const [agentId] = agentIds;
      if (agentId === undefined) return;
      const next = await startSession(agentId, conversation.title);
      navigate(`/chat/${next.channelId}`);
    });

  return (
    <div class="conversation">
      <ConversationHead conversation={conversation} reader={reader} onShow={(id) => void showMessage(reader, id, list.current)} />
      <Connection />
      <div class="conversation-body">
        {reader.phase.value === 'loading' && items.value.length === 0 && <Skeletons />}
        {reader.phase.value === 'failed' && <Failure error={reader.fault.value} onRetry={() => void reader.open()} />}
        {reader.phase.value === 'ready' && items.value.length === 0 && <Empty icon="chat" title={t('chat.empty')} />}
        {items.value.length > 0 && (
          <VirtualList
            items={items.value}
            keyOf={({ key }) => key}
            estimate={ROW_PX}
            label={t('chat.messages')}
            role="log"
            fromEnd
            controls={list}
            onNearStart={() => void reader.loadOlder().catch(notifyFault)}
          >
            {(item) => <ItemView item={item} reader={reader} conversation={conversation} />}
          </VirtualList>
        )}
      </div>
      <LiveText reader={reader} />
      {over ? (
        <div class="notice conversation-over">
          <span class="grow">{t('chat.overHint')}</span>
          <Button kind="primary" onClick={() => void restart()}>
            {t('chat.continue')}
          </Button>
        </div>
      ) : (
        <>
          {stopped && <p class="notice warn">{t('chat.agentStopped')}</p>}
          <Composer
            key={channelId}
            agentName={agentIds.map(agentName).join(', ')}
            onSend={send}
            running={running.value.length > 0}
            onStop={() =>
              void attempt(() => Promise.all([...new Set(running.value.map((reply) => reply.inReplyTo))].map((id) => reader.stop(id))))
            }
            voice={{ open: () => Promise.resolve(channelId), agentId: agentIds[0] }}
          />
        </>
      )}
    </div>
  );
}

function isRunning(agentId: string): boolean {
  return agents.value?.find(({ id }) => id === agentId)?.status === 'active';
}

function itemsOf(reader: ChannelReader): readonly Item[] {
  const { messages, outgoing, replies } = reader.state.value;
  return [
    ...messages.map((message): Item => ({ kind: 'message', key: message.id, message })),
    ...outgoing.map((one): Item => ({ kind: 'outgoing', key: one.clientMessageId, outgoing: one })),
    ...replies.map((reply): Item => ({ kind: 'reply', key: reply.replyId, reply })),
  ];
}

interface ItemProps {
  readonly item: Item;
  readonly reader: ChannelReader;
  readonly conversation: Conversation;
}

function ItemView({ item, reader, conversation }: ItemProps): JSX.Element {
  if (item.kind === 'message') return <MessageItem message={item.message} reader={reader} conversation={conversation} />;
  if (item.kind === 'outgoing') return <OutgoingItem outgoing={item.outgoing} reader={reader} conversation={conversation} />;
  return <ReplyItem reply={item.reply} reader={reader} conversation={conversation} />;
}

async function showMessage(reader: ChannelReader, messageId: string, list: ListControls | null): Promise<void> {
  await attempt(async () => {
    if (!(await reader.loadUntil(messageId))) return;
    const index = reader.state.value.messages.findIndex(({ id }) => id === messageId);
    requestAnimationFrame(() => list?.scrollToIndex(index, { align: 'center' }));
  });
}

/** Explains the newest answer beside the conversation, from its first event on. */
function useFollowedReply(reader: ChannelReader): void {
  const event = reader.lastEvent.value;
  const started = event?.type === 'turn.started' ? event : undefined;
  useEffect(() => {
    if (started) explain(started.agentId, started.replyId);
  }, [started?.replyId]);
  const newest = reader.state.value.messages.at(-1);
  useEffect(() => {
    if (newest?.isAgent === true && newest.replyId !== null) explain(newest.authorId, newest.replyId);
  }, [reader.phase.value]);
}

/** Keeps the times of the session as the server changes them. */
function useSessionEvents(reader: ChannelReader, conversation: Conversation): void {
  const event = reader.lastEvent.value;
  useEffect(() => {
    if (event === undefined) return;
    if ('session' in event) {
      const ended = event.type === 'session.expired' || event.type === 'session.ended';
      change(conversation.channelId, { expiresAt: new Date(event.session.expiresAt).getTime(), ended });
    } else if (event.type === 'message.created') {
      change(conversation.channelId, { lastActivity: event.message.createdAt });
    }
  }, [event]);
  useEffect(() => {
    refresh(conversation).catch(notifyFault);
  }, [conversation.channelId]);
}

/** Says that the connection to the server is lost, and that it comes back by itself. */
function Connection(): JSX.Element | null {
  const state = useSignal(live().state);
  useEffect(() => live().onState((next) => (state.value = next)), []);
  if (state.value !== 'reconnecting') return null;
  return (
    <p class="notice warn connection" role="status">
      <span class="dot busy" /> {t('chat.reconnecting')}
    </p>
  );
}

/** Reads whole answers to screen readers; pieces of them would be read over and over. */
function LiveText({ reader }: { readonly reader: ChannelReader }): JSX.Element {
  const event = reader.lastEvent.value;
  const spoken = useRef('');
  if (event?.type === 'message.created' && event.message.isAgent) spoken.current = event.message.text;
  if (event?.type === 'turn.started') spoken.current = t('chat.answering', { name: event.agentName });
  if (event?.type === 'turn.failed') spoken.current = event.error.message;
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {spoken.current}
    </div>
  );
}
