// The messages of a channel, old and new, and a form that posts for a user of your choice.
import { useComputed, useSignal } from '@preact/signals';
import { conversationItems, type ChannelMessage, type ParticipantView, type PendingReply } from 'parley-client';
import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { parley } from '../../api.js';
import { personName } from '../../chat/channel-name.js';
import { deleteMessage } from '../../chat/delete-message.js';
import { readerOf } from '../../chat/readers.js';
import { ReplyProgress } from '../../chat/reply-progress.js';
import { t } from '../../i18n.js';
import { myId, myName } from '../../identity.js';
import { query } from '../../router.js';
import { Attachments } from '../../ui/attachments.js';
import { Button, Field } from '../../ui/controls.js';
import { attempt, notify, notifyError } from '../../ui/dialogs.js';
import { Icon } from '../../ui/icon.js';
import { MessageFrame } from '../../ui/message-frame.js';
import { Empty, Failure, Skeletons } from '../../ui/states.js';
import { CopyButton, Id, Markdown } from '../../ui/text.js';
import { VirtualList, type ListControls } from '../../ui/virtual-list.js';
import { channelAddress } from './channel-list.js';
import { atMost } from '../../ui/characters.js';

const ROW_PX = 84;

interface ChannelMessagesProps {
  readonly channelId: string;
  readonly participants: readonly ParticipantView[];
}

export function ChannelMessages({ channelId, participants }: ChannelMessagesProps): JSX.Element {
  const reader = readerOf(channelId);
  const list = useRef<ListControls>(null);
  const items = useComputed(() => conversationItems(reader.state.value).filter((item) => item.kind !== 'outgoing'));
  const wanted = query.value.get('message') ?? undefined;
  const phase = reader.phase.value;
  useEffect(() => {
    if (phase !== 'ready' || wanted === undefined) return;
    void attempt(async () => {
      if (!(await reader.loadUntil(wanted))) {
        notify(t('channels.messageGone'));
        return;
      }
      const index = items.value.findIndex(({ key }) => key === wanted);
      requestAnimationFrame(() => list.current?.scrollToIndex(index, { align: 'center' }));
    });
  }, [phase, wanted]);
  return (
    <>
      <div class="channel-messages">
        {phase === 'loading' && items.value.length === 0 && <Skeletons />}
        {phase === 'failed' && <Failure error={reader.fault.value} onRetry={() => void reader.open()} />}
        {phase === 'ready' && items.value.length === 0 && <Empty icon="channel" title={t('channels.empty')} />}
        {items.value.length > 0 && (
          <VirtualList
            items={items.value}
            keyOf={({ key }) => key}
            estimate={ROW_PX}
            label={t('chat.messages')}
            role="log"
            fromEnd
            controls={list}
            onNearStart={() => void reader.loadOlder().catch(notifyError)}
          >
            {(item) =>
              item.kind === 'message' ? <Message message={item.message} selected={item.key === wanted} /> : <Reply reply={item.reply} />
            }
          </VirtualList>
        )}
      </div>
      <PostAs
        channelId={channelId}
        users={participants.filter(({ role }) => role === 'user').map(({ id }) => id)}
        onShow={() => requestAnimationFrame(() => list.current?.scrollToEnd())}
      />
    </>
  );
}

function Message({ message, selected }: { readonly message: ChannelMessage; readonly selected: boolean }): JSX.Element {
  const { id, channelId, authorId, authorName, isAgent, replyId, text, createdAt, updatedAt, attachments } = message;
  return (
    <MessageFrame
      author={personName(authorName)}
      isAgent={isAgent}
      at={createdAt}
      href={channelAddress(channelId, { message: id })}
      edited={updatedAt > createdAt}
      selected={selected}
      tools={
        <>
          {isAgent && replyId !== null && <WhyLink agentId={authorId} runId={replyId} />}
          <Id id={authorId} {...(isAgent && { href: `/agents/${authorId}` })} />
          <CopyButton text={text} label={t('chat.copyMessage')} />
          <Button kind="plain" icon="trash" label={t('common.delete')} needs="write" onClick={() => void deleteMessage(channelId, id)} />
        </>
      }
    >
      <Markdown text={text} />
      <Attachments attachments={attachments} />
    </MessageFrame>
  );
}

function WhyLink({ agentId, runId }: { readonly agentId: string; readonly runId: string }): JSX.Element {
  return (
    <a class="button plain icon-only" href={`/runs/${agentId}/${runId}`} aria-label={t('why.title')} title={t('why.title')}>
      <Icon name="spark" />
    </a>
  );
}

/** A reply that is being made, or that has failed. */
function Reply({ reply }: { readonly reply: PendingReply }): JSX.Element {
  const { agentId, agentName, replyId, status, text, error } = reply;
  return (
    <MessageFrame author={agentName} isAgent tools={<WhyLink agentId={agentId} runId={replyId} />}>
      {text !== '' && <Markdown text={text} />}
      {status === 'running' ? (
        <ReplyProgress reply={reply} />
      ) : (
        <p class={`notice ${status === 'failed' ? 'bad' : ''}`}>
          <Icon name="warning" />
          <span class="grow">
            {error?.message} {error?.details}
          </span>
        </p>
      )}
    </MessageFrame>
  );
}

interface PostAsProps {
  readonly channelId: string;
  /** Ids of users to choose from; any other can be typed. */
  readonly users: readonly string[];
  /** The newest messages are to be seen. */
  readonly onShow: () => void;
}

/** Posts in the name of a user; agents of the channel reply. */
function PostAs({ channelId, users, onShow }: PostAsProps): JSX.Element {
  const author = useSignal(myId);
  const name = useSignal(myName.value);
  const text = useSignal('');
  const busy = useSignal(false);
  const post = async (event: Event): Promise<void> => {
    event.preventDefault();
    busy.value = true;
    const named = name.value.trim();
    const body = { author_id: author.value.trim(), content: text.value, ...(named !== '' && { author_display_name: named }) };
    if (await attempt(() => parley.call('POST /api/messaging/channels/{channelId}/messages', { path: { channelId }, body }))) {
      text.value = '';
      onShow();
    }
    busy.value = false;
  };
  return (
    <details class="post-as" onToggle={onShow}>
      <summary>{t('channels.postAs')}</summary>
      <form class="stack" onSubmit={(event) => void post(event)}>
        <div class="post-as-author">
          <UserIdField users={users} value={author.value} onInput={(id) => (author.value = id)} />
          <Field label={t('common.name')}>
            <input
              class="input"
              {...atMost(255)}
              autocomplete="off"
              value={name.value}
              onInput={(event) => (name.value = event.currentTarget.value)}
            />
          </Field>
        </div>
        <Field label={t('channels.text')}>
          <textarea class="input" required rows={2} value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
        </Field>
        <div class="row">
          <Button kind="primary" icon="send" type="submit" needs="write" busy={busy.value} disabled={text.value.trim() === ''}>
            {t('channels.post')}
          </Button>
        </div>
      </form>
    </details>
  );
}

interface UserIdFieldProps {
  readonly users: readonly string[];
  readonly value: string;
  readonly onInput: (id: string) => void;
}

function UserIdField({ users, value, onInput }: UserIdFieldProps): JSX.Element {
  const known = useId();
  return (
    <>
      <Field label={t('channels.userId')}>
        <input
          class="input"
          required
          list={known}
          autocomplete="off"
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      </Field>
      <datalist id={known}>
        {[...new Set([myId, ...users])].map((id) => (
          <option key={id} value={id}>
            {id === myId ? t('chat.you') : ''}
          </option>
        ))}
      </datalist>
    </>
  );
}
