import type { InstallationIds } from '../../core/ids/index.js';
import type { MessagesService } from '../messaging/index.js';
import type { Protocol } from './protocol.js';
import type { ProtocolRequest } from './protocol-request.js';

type PostMessage = Parameters<MessagesService['draft']>[0];

/** The user of the credential; else one that stands for the name in the request, or for an unnamed user of the conversation. */
export function userOf(ids: InstallationIds, { caller, user }: Pick<ProtocolRequest, 'caller' | 'user'>, channelId: string): string {
  return caller.user?.id ?? ids.of('user of a protocol', user === undefined ? [channelId] : [caller.id, user]);
}

/** A message that a caller sent as a part of a conversation: no agent replies to it, and its author is not vouched for. */
export function resentMessage(
  channelId: string,
  protocol: Protocol,
  said: Pick<PostMessage, 'authorId' | 'authorKind' | 'authorName'> & { readonly text: string; readonly attachments?: unknown },
): PostMessage {
  const { text, attachments, ...author } = said;
  return {
    ...{ channelId, ...author },
    content: text.replaceAll('\0', ''),
    sourceType: protocol,
    vouched: false,
    wantsReply: false,
    metadata: { protocol, resent: true, ...(attachments !== undefined && { attachments }) },
  };
}
