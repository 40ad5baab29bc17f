import { eventFields } from '../../../core/journal/index.js';
import type { StreamEvent } from '../../../core/http/index.js';
import type { AgentResponseView, MessagePageView, MessageView, PostedMessageView } from './messages.dto.js';
import type { Message, ReplyContent } from './messages.types.js';
import { failureIn } from '../replies/reply-changes.js';
import type { ReplyEvent, ReplyGap, ReplyOutcome } from '../replies/reply-progress.js';
import { pendingReplies, replyReference } from '../replies/reply-references.js';

const EMPTY_REPLY: ReplyContent = { text: '', actions: [], providers: [], metadata: {} };

/** A message in HTTP responses, with the field names of the specification and of the original service. */
export function presentMessage(message: Message): MessageView {
  const { rawMessage, metadata } = message;
  return {
    id: message.id,
    channelId: message.channelId,
    serverId: message.serverId,
    messageServerId: message.serverId,
    authorId: message.authorId,
    authorName: message.authorName,
    content: message.content,
    rawMessage,
    sourceType: message.sourceType,
    sourceId: message.sourceId,
    metadata: { ...pick(rawMessage, ['thought', 'actions', 'attachments']), ...metadata },
    inReplyToRootMessageId: message.inReplyTo,
    ...replyReference(message),
    clientMessageId: message.clientMessageId,
    isAgent: message.authorKind === 'agent',
    createdAt: iso(message.createdAt),
    updatedAt: iso(message.updatedAt),
    seq: message.seq,
    offset: message.offset,
    channel_id: message.channelId,
    server_id: message.serverId,
    message_server_id: message.serverId,
    author_id: message.authorId,
    raw_message: rawMessage,
    source_type: message.sourceType,
    in_reply_to_message_id: message.inReplyTo,
    created_at: message.createdAt,
    updated_at: message.updatedAt,
  };
}

/** A page of messages with the cursors of its neighbours. */
export function presentHistory(messages: Message[], hasMore: boolean): MessagePageView {
  const newest = messages[0];
  const oldest = messages.at(-1);
  return {
    messages: messages.map(presentMessage),
    hasMore,
    ...(newest && oldest
      ? {
          cursors: { before: oldest.createdAt, after: newest.createdAt },
          nextCursor: { before: cursorText(oldest.seq), after: cursorText(newest.seq) },
        }
      : {}),
  };
}

/** The agents' replies, for the `http` transport. */
export function presentOutcome(message: Message, outcome: ReplyOutcome): Pick<PostedMessageView, 'agentResponse' | 'agentResponses'> {
  const responses = outcome.replies.map(({ agentId, messageId, content }) =>
    presentReply(content, { agentId, replyId: messageId, inReplyTo: message.id }),
  );
  return { agentResponse: responses[0] ?? null, ...(responses.length > 1 ? { agentResponses: responses } : {}) };
}

/** The acknowledgement of a user's message: the message and its pending replies. */
export function presentPostedMessage(message: Message): PostedMessageView {
  const userMessage = presentMessage(message);
  return { ...userMessage, ...pendingReplies(message), userMessage };
}

function presentReply(content: ReplyContent, ids: { agentId: string; replyId: string; inReplyTo: string }): AgentResponseView {
  return { ...content, simple: content.actions.length <= 1, responseId: ids.replyId, messageId: ids.replyId, ...ids };
}

/**
 * An event of a message's replies as a server-sent event; undefined for those that streams omit.
 *
 * @param messageId id of the message replied to
 */
export function presentReplyEvent(
  replyEvent: ReplyEvent | ReplyGap,
  messageId: string,
  extras: Record<string, unknown> = {},
): StreamEvent | undefined {
  if (!replyEvent.change) return { event: 'gap', data: { from: replyEvent.entry.from, to: replyEvent.entry.to } };
  const { cursor, change, last, entry } = replyEvent;
  const { offset, seq } = entry;
  const event = (name: string, data: Record<string, unknown>): StreamEvent => ({
    id: cursor,
    event: name,
    data: { ...eventFields(entry), ...data, offset, seq },
  });
  switch (change.kind) {
    case 'stored': {
      const { message } = change;
      if (message.authorKind === 'agent') return undefined;
      return event('user_message', { ...presentMessage({ ...message, seq: seq ?? 0, offset }), replies: pendingReplies(message).replies });
    }
    case 'text':
      return event('chunk', { type: 'chunk', messageId: change.replyId });
    case 'reasoning':
      return event('reasoning', { type: 'reasoning', messageId: change.replyId });
    case 'action': {
      const type = `action.${change.status}`;
      return event(type, { type });
    }
    case 'suspended':
    case 'resumed':
      return event(change.kind, { type: change.kind, messageId: change.replyId });
    case 'completed': {
      const { content, replyId, agentId } = change;
      const shown = presentReply(content ?? EMPTY_REPLY, { agentId, replyId, inReplyTo: messageId });
      return event(last ? 'done' : 'message', { type: last ? 'complete' : 'message', ...shown, ...(last ? extras : {}) });
    }
    case 'notice':
      return event(change.event, change.fields);
    case 'failed':
    case 'withdrawn': {
      const replyId = change.kind === 'failed' ? change.replyId : null;
      const failure = failureIn(change);
      const names = { messageId: replyId ?? undefined, replyId, inReplyTo: messageId, channelId: entry.channelId };
      return event('error', { type: 'error', error: failure?.message, ...failure, ...names });
    }
    default:
      return undefined;
  }
}

/** The last event of a stream without expected replies; follows the event of the message. */
export function presentNoReply({ id, data }: StreamEvent, extras: Record<string, unknown>): StreamEvent {
  const { id: inReplyTo, channelId, offset, seq } = data as MessageView;
  const nothing = { ...EMPTY_REPLY, replyId: null, inReplyTo, channelId, status: 'completed', didRespond: false };
  return { id, event: 'done', data: { type: 'complete', ...nothing, ...extras, offset, seq } };
}

export function iso(at: number): string {
  return new Date(at).toISOString();
}

/** An opaque cursor: the message's position, which is unique even among messages of the same instant. */
function cursorText(seq: number): string {
  return Buffer.from(`m${seq}`).toString('base64url');
}

function pick(source: Record<string, unknown> | null, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.filter((key) => source?.[key] !== undefined).map((key) => [key, source?.[key]]));
}
