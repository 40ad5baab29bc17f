import type { EventDefinitions, EventFields } from '../../core/journal/index.js';
import type { JournalChannel } from './channels/channel-types.js';
import type { JournalMessage } from './messages/messages.types.js';
import { ChannelEventView, MessageDeletedEventView, MessageEventView } from './messaging-events.dto.js';
import './replies/reply-changes.js';
import { replyReference } from './replies/reply-references.js';

interface MessagingEvents {
  'message.created': JournalMessage;
  /** The message after the change. */
  'message.updated': JournalMessage;
  'message.deleted': { messageId: string; channelId: string };
  'message.completed': { channelId: string; serverId: string; messageId: string | null; status: string; error?: string };
  'channel.created': JournalChannel;
  'channel.updated': JournalChannel;
  'channel.cleared': { channelId: string };
  'channel.deleted': { channelId: string };
  'message-server.deleted': { serverId: string };
}

export const MESSAGING_EVENTS: EventDefinitions<MessagingEvents> = {
  'message.created': {
    about: 'A message was stored.',
    view: MessageEventView,
    fields: messageFields,
    sockets: { messageBroadcast: broadcast },
    reply: (message) => ({ kind: 'stored', message }),
    authored: ({ authorKind, id, authorId }) => (authorKind === 'user' ? { messageId: id, userId: authorId } : undefined),
  },
  'message.updated': {
    about: 'A message was edited.',
    view: MessageEventView,
    fields: messageFields,
    // Clients of the original service expect an edited message as another messageBroadcast.
    sockets: { messageUpdated: broadcast, messageBroadcast: broadcast },
    everywhere: true,
  },
  'message.deleted': {
    about: 'A message was deleted.',
    view: MessageDeletedEventView,
    sockets: { messageDeleted: whole },
    reply: ({ messageId }) => ({ kind: 'withdrawn', messageId }),
    everywhere: true,
  },
  'message.completed': {
    about: 'A client reported that the replies to a message, or in a channel, are complete.',
    fields: ({ messageId }) => ({ replyId: null, inReplyTo: messageId }),
    sockets: { messageComplete: whole },
  },
  'channel.created': {
    about: 'A channel was created.',
    view: ChannelEventView,
    fields: channelFields,
    sockets: { channelCreated: (channel) => ({ channel: shown(channel) }) },
    everywhere: true,
  },
  'channel.updated': {
    about: 'A channel or its participants changed.',
    view: ChannelEventView,
    fields: channelFields,
    sockets: { channelUpdated: (channel) => ({ updates: shown(channel) }) },
    everywhere: true,
  },
  'channel.cleared': {
    about: 'All messages of a channel were deleted.',
    view: ChannelEventView,
    sockets: { channelCleared: whole },
    reply: () => ({ kind: 'withdrawn' }),
    everywhere: true,
  },
  'channel.deleted': {
    about: 'A channel was deleted.',
    view: ChannelEventView,
    sockets: { channelDeleted: whole },
    reply: () => ({ kind: 'withdrawn' }),
    everywhere: true,
  },
  'message-server.deleted': { about: 'A message server was deleted.' },
};

function channelFields({ id }: JournalChannel): EventFields {
  return { channelId: id };
}

function messageFields(message: JournalMessage): EventFields {
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
    ...replyReference(message),
  };
}

function whole<P extends EventFields>(payload: P): EventFields {
  return payload;
}

function broadcast(message: JournalMessage): EventFields {
  const { rawMessage, metadata } = message;
  const extras = Object.fromEntries(
    ['thought', 'actions', 'attachments'].flatMap((key) => {
      const value = rawMessage?.[key] ?? metadata[key];
      return value === undefined ? [] : [[key, value]];
    }),
  );
  return {
    messageServerId: message.serverId,
    createdAt: message.createdAt,
    updatedAt: message.updatedAt,
    source: message.sourceType,
    rawMessage,
    metadata,
    ...extras,
    ...(message.clientMessageId === null ? {} : { clientMessageId: message.clientMessageId }),
    ...(metadata['sessionId'] === undefined ? {} : { sessionId: metadata['sessionId'] }),
  };
}

function shown({ participantIds, ...channel }: JournalChannel): EventFields {
  const { serverId: messageServerId } = channel;
  return { ...channel, messageServerId, participantCentralUserIds: participantIds };
}

declare module '../../core/journal/events.js' {
  interface JournalPayloads extends MessagingEvents {}
}
