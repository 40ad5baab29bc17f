import { useSignal } from '@preact/signals';
import { isAnsweredLater, NetworkError, type ChannelMessage, type OutgoingMessage, type PendingReply } from 'parley-client';
import type { JSX } from 'preact';
import { errorText, parley } from '../../api.js';
import type { ChannelReader } from '../../chat/channel-reader.js';
import { personName } from '../../chat/channel-name.js';
import { deleteMessage } from '../../chat/delete-message.js';
import { ReplyProgress } from '../../chat/reply-progress.js';
import { t } from '../../i18n.js';
import { myId, myName } from '../../identity.js';
import { Attachments } from '../../ui/attachments.js';
import { Button } from '../../ui/controls.js';
import { attempt } from '../../ui/dialogs.js';
import { Icon } from '../../ui/icon.js';
import { MessageFrame } from '../../ui/message-frame.js';
import { CopyButton, Markdown } from '../../ui/text.js';
import { MessageEnding } from './message-ending.js';
import { explained, explain } from './panes.js';
import { Sources } from './sources.js';
import { ToolCalls } from './tool-calls.js';
import { SpeakButton } from './speak-button.js';
import { UnreadFiles } from './unread-files.js';

interface ItemProps {
  readonly reader: ChannelReader;
}

export function MessageItem({ message, reader }: ItemProps & { readonly message: ChannelMessage }): JSX.Element {
  const editing = useSignal(false);
  const { id, isAgent, authorId, replyId, text } = message;
  const mine = authorId === myId;
  const author = mine ? myName.value || t('chat.you') : personName(message.authorName);
  const again = (): void => void attempt(() => reader.post({ text, attachments: message.attachments }));
  return (
    <MessageFrame
      author={author}
      isAgent={isAgent}
      at={message.createdAt}
      edited={message.updatedAt > message.createdAt}
      selected={replyId !== null && explained.value?.runId === replyId}
      tools={
        <>
          {isAgent && replyId !== null && (
            <Button kind="plain" icon="spark" label={t('why.title')} onClick={() => explain(authorId, replyId, { show: true })} />
          )}
          {isAgent && <SpeakButton agentId={authorId} messageId={id} />}
          <CopyButton text={text} label={t('chat.copyMessage')} />
          {mine && <Button kind="plain" icon="again" label={t('chat.sendAgain')} needs="write" onClick={again} />}
          <Button kind="plain" icon="edit" label={t('common.edit')} needs="write" onClick={() => (editing.value = true)} />
          <Button
            kind="plain"
            icon="trash"
            label={t('common.delete')}
            needs="write"
            onClick={() => void deleteMessage(reader.channelId, id)}
          />
        </>
      }
    >
      {isAgent && replyId !== null && (
        <ToolCalls agentId={authorId} runId={replyId} calls={reader.state.value.actions.get(replyId)} names={message.metadata['actions']} />
      )}
      {editing.value ? <EditMessage message={message} onClose={() => (editing.value = false)} /> : <Markdown text={text} />}
      {isAgent && <MessageEnding message={message} reader={reader} />}
      <Attachments attachments={message.attachments} />
      {isAgent && <UnreadFiles files={message.metadata['unreadAttachments']} />}
      {isAgent && <Sources agentId={authorId} sources={message.metadata['sources']} />}
    </MessageFrame>
  );
}

function EditMessage({ message, onClose }: { readonly message: ChannelMessage; readonly onClose: () => void }): JSX.Element {
  const text = useSignal(message.text);
  const save = async (): Promise<void> => {
    const path = { messageId: message.id };
    const saved = await attempt(() => parley.call('PATCH /api/messaging/messages/{messageId}', { path, body: { content: text.value } }));
    if (saved) onClose();
  };
  return (
    <div class="stack">
      <textarea
        class="input"
        aria-label={t('common.edit')}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
        }}
      />
      <div class="row">
        <Button kind="primary" disabled={text.value.trim() === ''} onClick={() => void save()}>
          {t('common.save')}
        </Button>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
      </div>
    </div>
  );
}

export function OutgoingItem({ outgoing, reader }: ItemProps & { readonly outgoing: OutgoingMessage }): JSX.Element {
  const { fault } = outgoing;
  return (
    <MessageFrame author={myName.value || t('chat.you')} isAgent={false}>
      <Markdown text={outgoing.text} />
      <Attachments attachments={outgoing.attachments} />
      {fault === undefined ? (
        <span class="small faint">{t('chat.sending')}</span>
      ) : (
        <div class="notice bad" role="alert">
          <Icon name="warning" />
          <span class="grow">
            {errorText(fault)} {fault instanceof NetworkError && t('chat.sentLater')}
          </span>
          <Button icon="again" onClick={() => void reader.retry(outgoing).catch(() => undefined)}>
            {t('common.retry')}
          </Button>
          <Button kind="plain" icon="trash" label={t('chat.discard')} onClick={() => reader.discard(outgoing)} />
        </div>
      )}
    </MessageFrame>
  );
}

export function ReplyItem({ reply, reader }: ItemProps & { readonly reply: PendingReply }): JSX.Element {
  const { status, text, error, replyId, agentId } = reply;
  const question = reader.state.value.messages.find(({ id }) => id === reply.inReplyTo);
  const again = (): void => {
    if (question) void attempt(() => reader.post(question));
  };
  return (
    <MessageFrame
      author={reply.agentName}
      isAgent
      selected={explained.value?.runId === replyId}
      tools={<Button kind="plain" icon="spark" label={t('why.title')} onClick={() => explain(agentId, replyId, { show: true })} />}
    >
      <ToolCalls agentId={agentId} runId={replyId} calls={callsOf(reply)} names={undefined} />
      {text !== '' && <Markdown text={text} />}
      {status === 'running' && <ReplyProgress reply={reply} isTold />}
      {status === 'cancelled' && <span class="small faint">{error?.message}</span>}
      {status === 'failed' && error && (
        <div class="notice bad">
          <Icon name="warning" />
          <span class="grow">
            <span class="strong">{error.message}</span> {error.details}
          </span>
          {question && !isAnsweredLater(reader.state.value, reply) && (
            <Button icon="again" needs="write" onClick={again}>
              {t('chat.sendAgain')}
            </Button>
          )}
        </div>
      )}
    </MessageFrame>
  );
}

/** Calls that the server runs; what the reply says of those of the caller is enough. */
function callsOf({ actions, waitsFor }: PendingReply): PendingReply['actions'] {
  return waitsFor ? actions.filter(({ success }) => success !== undefined) : actions;
}
