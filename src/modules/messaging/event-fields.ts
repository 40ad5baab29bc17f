import type { Gap, JournalEntry, JournalMessage, TurnReference } from '../../core/journal/index.js';
import type { OwedReplyView } from './messages.dto.js';

/** Which answer something is about. */
export interface ReplyNames {
  /** Id that the reply's message has, or will have; null when there is no reply. */
  readonly replyId: string | null;
  /** Id of the message that is answered; null when none is. */
  readonly inReplyTo: string | null;
}

type Fields = Record<string, unknown>;

/**
 * The fields of an entry that every stream and every socket sends under the same names (docs/reference/events.md).
 * Each place adds the names that its own clients have always known.
 */
export function eventFields(entry: JournalEntry | Gap): Fields {
  switch (entry.type) {
    case 'message.created':
    case 'message.updated':
      return messageFields(entry.payload);
    case 'message.chunk': {
      const { index, text, reset } = entry.payload;
      return { ...turnFields(entry.payload), index, text, chunk: text, ...(reset ? { reset } : {}) };
    }
    case 'message.completed':
      return { replyId: null, inReplyTo: entry.payload.messageId };
    case 'action.started':
      return { ...turnFields(entry.payload), action: entry.payload.action, step: entry.payload.step };
    case 'action.completed': {
      const { action, step, success, durationMs } = entry.payload;
      return { ...turnFields(entry.payload), action, step, success, durationMs };
    }
    case 'turn.started':
      return turnFields(entry.payload);
    case 'turn.finished':
      return { ...turnFields(entry.payload), status: 'completed', didRespond: entry.payload.didRespond };
    case 'turn.failed':
      return { ...turnFields(entry.payload), status: 'failed', didRespond: false, ...entry.payload.error };
    case 'turn.cancelled':
      return { ...turnFields(entry.payload), status: 'cancelled', didRespond: false, ...entry.payload.error };
    default:
      return {};
  }
}

/** Which answer a message is. What an action says on the way to a reply answers a message too, and is not the reply. */
export function replyNames({
  id,
  authorKind,
  sourceType,
  inReplyTo,
}: Pick<JournalMessage, 'id' | 'authorKind' | 'sourceType' | 'inReplyTo'>): ReplyNames {
  const isReply = authorKind === 'agent' && inReplyTo !== null && sourceType !== ACTION_SOURCE;
  return { replyId: isReply ? id : null, inReplyTo };
}

/** `sourceType` of what an action says. */
export const ACTION_SOURCE = 'agent_action';

/** What the acknowledgement of a message says of its answers: all that are owed, and the names of the first. */
export function owedReplies({ id, awaiting }: Pick<JournalMessage, 'id' | 'awaiting'>): {
  replyId: string | null;
  inReplyTo: string;
  replies: OwedReplyView[];
} {
  const replies = awaiting.map(({ agentId, replyId }) => ({ agentId, replyId, inReplyTo: id }));
  return { replyId: replies[0]?.replyId ?? null, inReplyTo: id, replies };
}

function messageFields(message: JournalMessage): Fields {
  const { id, content, authorId, authorName, authorKind, channelId, serverId } = message;
  const isAgent = authorKind === 'agent';
  return {
    id,
    text: content,
    content,
    authorId,
    authorName,
    senderId: authorId,
    senderName: authorName ?? (isAgent ? 'Agent' : 'User'),
    isAgent,
    channelId,
    serverId,
    ...replyNames(message),
  };
}

function turnFields({ replyId, messageId, agentId, agentName, channelId, serverId }: TurnReference): Fields {
  return { replyId, inReplyTo: messageId, agentId, agentName, channelId, serverId };
}
