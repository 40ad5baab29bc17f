import type { ReplyContent } from '../../core/journal/index.js';
import type { StreamEvent } from '../../core/http/index.js';
import type { AgentResponseView, MessagePageView, MessageView, PostedMessageView } from './messages.dto.js';
import type { Message } from './messages.types.js';
import type { ReplyEntry, ReplyOutcome } from './replies.js';

/** A message as every HTTP operation shows it: the specification's spelling and the original service's together. */
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

/** A page of history: what a client needs to ask for the pages around it. */
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

/** What the agents answered, for the `http` transport. */
export function presentOutcome(message: Message, outcome: ReplyOutcome): Pick<PostedMessageView, 'agentResponse' | 'agentResponses'> {
  const responses = outcome.replies.map(({ agentId, messageId, content }) =>
    presentReply(content, { agentId, messageId, inReplyTo: message.id }),
  );
  return { agentResponse: responses[0] ?? null, ...(responses.length > 1 ? { agentResponses: responses } : {}) };
}

function presentReply(content: ReplyContent, ids: { agentId: string; messageId: string; inReplyTo: string }): AgentResponseView {
  return { ...content, simple: content.actions.length <= 1, responseId: ids.messageId, ...ids };
}

/** The server-sent event of an entry of a message's answers; undefined for one that streams do not show. */
export function presentReplyEntry({ entry, last }: ReplyEntry, extras: Record<string, unknown> = {}): StreamEvent | undefined {
  if (entry.type === 'gap') return { event: 'gap', data: { from: entry.from, to: entry.to } };
  const id = entry.offset;
  switch (entry.type) {
    case 'message.created': {
      if (entry.payload.authorKind === 'agent') return undefined;
      return { id, event: 'user_message', data: presentMessage({ ...entry.payload, seq: entry.seq ?? 0, offset: id }) };
    }
    case 'message.chunk': {
      const { replyId, agentId, text, index, reset } = entry.payload;
      return {
        id,
        event: 'chunk',
        data: { type: 'chunk', messageId: replyId, agentId, chunk: text, text, index, ...(reset ? { reset } : {}) },
      };
    }
    case 'turn.finished': {
      const { reply, replyId, agentId, messageId, didRespond } = entry.payload;
      const content = presentReply(reply ?? { text: '', actions: [], providers: [], metadata: {} }, {
        agentId,
        messageId: replyId,
        inReplyTo: messageId,
      });
      return {
        id,
        event: last ? 'done' : 'message',
        data: { type: last ? 'complete' : 'message', ...content, didRespond, ...(last ? extras : {}) },
      };
    }
    case 'turn.failed':
    case 'turn.cancelled': {
      const { error, replyId, agentId } = entry.payload;
      return { id, event: 'error', data: { type: 'error', error: error.message, ...error, messageId: replyId, agentId } };
    }
    case 'session.warning':
      return { id, event: 'session_warning', data: { ...entry.payload, expiresAt: iso(entry.payload.expiresAt) } };
    case 'session.expired':
      return { id, event: 'session_expired', data: { ...entry.payload, expiresAt: iso(entry.payload.expiresAt) } };
    case 'message.deleted':
    case 'channel.cleared':
    case 'channel.deleted': {
      const message = 'The message was deleted before it was answered.';
      return {
        id,
        event: 'error',
        data: { type: 'error', error: message, code: 'TURN_CANCELLED', message, details: 'Nothing more will come.' },
      };
    }
    default:
      return undefined;
  }
}

/** The end of a stream in which nobody owes an answer, behind the event of the message. */
export function presentNobody({ id, data }: StreamEvent, extras: Record<string, unknown>): StreamEvent {
  const silence = { text: '', actions: [], providers: [], metadata: {}, inReplyTo: (data as MessageView).id };
  return { id, event: 'done', data: { type: 'complete', ...silence, didRespond: false, ...extras } };
}

export function iso(at: number): string {
  return new Date(at).toISOString();
}

/** An opaque cursor: the message's position, which orders messages of the same instant too. */
function cursorText(seq: number): string {
  return Buffer.from(`m${seq}`).toString('base64url');
}

function pick(source: Record<string, unknown> | null, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.filter((key) => source?.[key] !== undefined).map((key) => [key, source?.[key]]));
}
