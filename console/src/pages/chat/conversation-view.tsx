import { useComputed, useSignal } from '@preact/signals';
import { conversationItems, runningReplies, type ConversationItem } from 'parley-client';
import type { JSX, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { live } from '../../api.js';
import type { ChannelReader } from '../../chat/channel-reader.js';
import { change, keepOpen, type Conversation } from '../../chat/conversations.js';
import { readerOf } from '../../chat/readers.js';
import { t } from '../../i18n.js';
import { agentName } from '../../store/agents.js';
import { attempt, notifyError } from '../../ui/dialogs.js';
import { Empty, Failure, Skeletons } from '../../ui/states.js';
import { VirtualList, type ListControls } from '../../ui/virtual-list.js';
import { Composer, uploadTo } from './composer.js';
import { ConversationHead } from './conversation-head.js';
import { MessageItem, OutgoingItem, ReplyItem } from './message-item.js';
import { explain } from './panes.js';
import { StoppedAgents } from './stopped-agents.js';

const ROW_PX = 96;

export function ConversationView({ conversation }: { readonly conversation: Conversation }): JSX.Element {
  const { channelId, agentIds } = conversation;
  const reader = readerOf(channelId);
  const list = useRef<ListControls>(null);
  const running = useComputed(() => runningReplies(reader.state.value));
  useFollowedReply(reader);
  useActivity(reader, channelId);

  const send = async (text: string, files: readonly File[]): Promise<boolean> => {
    const attachments = await uploadTo(channelId, files);
    // The failure of the message is shown beside it.
    reader.post({ text, attachments }).catch(() => undefined);
    list.current?.scrollToEnd();
    return true;
  };

  const open = async (): Promise<string> => {
    await keepOpen(channelId);
    return channelId;
  };

  return (
    <div class="conversation">
      <ConversationHead conversation={conversation} reader={reader} onShow={(id) => void showMessage(reader, id, list.current)} />
      <Connection />
      <MessageList reader={reader} controls={list} />
      <LiveText reader={reader} />
      <StoppedAgents agentIds={agentIds} />
      <Composer
        key={channelId}
        draftKey={channelId}
        agentName={agentIds.map(agentName).join(', ')}
        onSend={send}
        running={running.value.length > 0}
        onStop={() =>
          void attempt(() => Promise.all([...new Set(running.value.map((reply) => reply.inReplyTo))].map((id) => reader.stop(id))))
        }
        voice={{ open, agentId: agentIds[0] }}
      />
    </div>
  );
}

interface MessageListProps {
  readonly reader: ChannelReader;
  readonly controls: RefObject<ListControls | null>;
}

function MessageList({ reader, controls }: MessageListProps): JSX.Element {
  const items = useComputed(() => conversationItems(reader.state.value));
  return (
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
          controls={controls}
          onNearStart={() => void reader.loadOlder().catch(notifyError)}
        >
          {(item) => <ItemView item={item} reader={reader} />}
        </VirtualList>
      )}
    </div>
  );
}

interface ItemProps {
  readonly item: ConversationItem;
  readonly reader: ChannelReader;
}

function ItemView({ item, reader }: ItemProps): JSX.Element {
  if (item.kind === 'message') return <MessageItem message={item.message} reader={reader} />;
  if (item.kind === 'outgoing') return <OutgoingItem outgoing={item.outgoing} reader={reader} />;
  return <ReplyItem reply={item.reply} reader={reader} />;
}

async function showMessage(reader: ChannelReader, messageId: string, list: ListControls | null): Promise<void> {
  await attempt(async () => {
    if (!(await reader.loadUntil(messageId))) return;
    const index = conversationItems(reader.state.value).findIndex(({ key }) => key === messageId);
    requestAnimationFrame(() => list?.scrollToIndex(index, { align: 'center' }));
  });
}

/** Explains the newest reply beside the conversation, from its first event on. */
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

/** Keeps the time of the last message. */
function useActivity(reader: ChannelReader, channelId: string): void {
  const event = reader.lastEvent.value;
  useEffect(() => {
    if (event?.type === 'message.created') change(channelId, { lastActivity: event.message.createdAt });
  }, [event]);
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

/** Reads whole replies to screen readers; pieces of them would be read over and over. */
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
