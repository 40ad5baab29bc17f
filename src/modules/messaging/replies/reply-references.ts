import type { PendingReplyView } from '../messages/messages.dto.js';
import type { JournalMessage } from '../messages/messages.types.js';

interface ReplyReference {
  /** Id of the reply's message, known before it is stored; null without a reply. */
  readonly replyId: string | null;
  /** Id of the message replied to; null for none. */
  readonly inReplyTo: string | null;
}

/** `sourceType` of messages that an action sends. */
export const ACTION_SOURCE = 'agent_action';

/** The reply reference of a message. A message that an action sends has `inReplyTo` too, but is not the reply. */
export function replyReference({
  id,
  authorKind,
  sourceType,
  inReplyTo,
}: Pick<JournalMessage, 'id' | 'authorKind' | 'sourceType' | 'inReplyTo'>): ReplyReference {
  const isReply = authorKind === 'agent' && inReplyTo !== null && sourceType !== ACTION_SOURCE;
  return { replyId: isReply ? id : null, inReplyTo };
}

/** Reply fields of a message's acknowledgement: all pending replies, and the ids of the first one. */
export function pendingReplies({ id, awaiting }: Pick<JournalMessage, 'id' | 'awaiting'>): {
  replyId: string | null;
  inReplyTo: string;
  replies: PendingReplyView[];
} {
  const replies = awaiting.map(({ agentId, replyId }) => ({ agentId, replyId, inReplyTo: id }));
  return { replyId: replies[0]?.replyId ?? null, inReplyTo: id, replies };
}
