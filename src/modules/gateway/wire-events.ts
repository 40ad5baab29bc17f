import type { Gap, JournalEntry } from '../../core/journal/index.js';
import { eventFields } from '../messaging/index.js';

/** One event as clients hear it. */
export interface WireEvent {
  readonly name: string;
  readonly payload: Record<string, unknown>;
}

/**
 * The socket.io events of a journal entry (docs/reference/events.md). Each carries the entry's `offset` and `seq`; the
 * offset of the last event that a client heard is the cursor with which it joins again.
 */
export function wireEvents(entry: JournalEntry | Gap): WireEvent[] {
  if (entry.type === 'gap') return [{ name: 'gap', payload: { from: entry.from, to: entry.to } }];
  const position = { offset: entry.offset, seq: entry.seq };
  const shared = eventFields(entry);
  const event = (name: string, payload: Record<string, unknown> = {}): WireEvent => ({
    name,
    payload: { ...shared, ...payload, roomId: entry.channelId, ...position },
  });
  switch (entry.type) {
    case 'message.created':
      return [event('messageBroadcast', broadcast(entry.payload))];
    case 'message.updated':
      // Clients of the original service know edits as the same message once more.
      return [event('messageUpdated', broadcast(entry.payload)), event('messageBroadcast', broadcast(entry.payload))];
    case 'message.completed':
      return [event('messageComplete', entry.payload)];
    case 'message.chunk':
      return [event('messageStreamChunk', { messageId: entry.payload.replyId })];
    case 'action.started':
    case 'action.completed':
      return [event(entry.type)];
    case 'turn.started':
      return [event('controlMessage', { action: 'disable_input', target: 'input' })];
    case 'turn.finished':
      return ended(event, entry.payload);
    case 'turn.failed': {
      const { error, replyId, partialText } = entry.payload;
      const failure = { messageId: replyId, error: error.message, ...(partialText === undefined ? {} : { partialText }) };
      return [event('messageStreamError', failure), ...ended(event, entry.payload, { error })];
    }
    case 'turn.cancelled':
      return ended(event, entry.payload, { error: entry.payload.error });
    case 'message.deleted':
      return [event('messageDeleted', entry.payload)];
    case 'channel.created':
      return [event('channelCreated', { channelId: entry.payload.id, channel: channel(entry.payload) })];
    case 'channel.updated':
      return [event('channelUpdated', { channelId: entry.payload.id, updates: channel(entry.payload) })];
    case 'channel.cleared':
      return [event('channelCleared', entry.payload)];
    case 'channel.deleted':
      return [event('channelDeleted', entry.payload)];
    case 'session.created':
      return [event('sessionCreated', session(entry.payload))];
    case 'session.renewed':
      return [event('sessionRenewed', session(entry.payload))];
    case 'session.updated':
      return [event('sessionUpdated', session(entry.payload))];
    case 'session.warning':
      return [event('sessionExpirationWarning', session(entry.payload))];
    case 'session.expired':
      return [event('sessionExpired', session(entry.payload))];
    case 'session.ended':
      return [event('sessionEnded', session(entry.payload))];
    case 'agent.created':
    case 'agent.updated':
    case 'agent.started':
    case 'agent.stopped':
    case 'agent.deleted':
    case 'memory.changed':
    case 'delivery.done':
    case 'delivery.failed':
    case 'delivery.dead':
      // Of no channel, and so for no client.
      return [];
  }
}

type MakeEvent = (name: string, payload?: Record<string, unknown>) => WireEvent;
type Payload<T extends JournalEntry['type']> = Extract<JournalEntry, { type: T }>['payload'];

function broadcast(message: Payload<'message.created' | 'message.updated'>): Record<string, unknown> {
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

function channel({ participantIds, ...payload }: Payload<'channel.created' | 'channel.updated'>): Record<string, unknown> {
  const { serverId: messageServerId } = payload;
  return { ...payload, messageServerId, ...(participantIds ? { participantCentralUserIds: participantIds } : {}) };
}

function ended(
  event: MakeEvent,
  { messageId }: Payload<'turn.finished' | 'turn.failed' | 'turn.cancelled'>,
  outcome: Record<string, unknown> = {},
): WireEvent[] {
  return [event('messageComplete', { messageId, ...outcome }), event('controlMessage', { action: 'enable_input', target: 'input' })];
}

function session(payload: Payload<'session.created' | 'session.renewed' | 'session.warning'>): Record<string, unknown> {
  const { warnsAt, ...rest } = payload;
  return { ...rest, expiresAt: new Date(payload.expiresAt).toISOString(), warnsAt: new Date(warnsAt).toISOString() };
}
