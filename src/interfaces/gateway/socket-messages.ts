import { AppError } from '../../core/errors/index.js';
import { isUuid } from '../../core/ids/index.js';

export type SocketPayload = Record<string, unknown>;

/** The payload as an object; an empty object for any other value. */
export function objectOf(value: unknown): SocketPayload {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as SocketPayload) : {};
}

/** Message types of client messages (contract 3.2). */
export const ROOM_JOINING = 1;
export const SEND_MESSAGE = 2;

const MAX_MESSAGE_LENGTH = 100_000;
const MAX_KEY_LENGTH = 255;

/** A request to join a channel. */
export interface JoinRequest {
  readonly roomId: string;
  readonly agentId?: string;
  readonly after?: number;
}

/** A message to send. */
export interface SendRequest {
  readonly channelId: string;
  readonly serverId?: string;
  readonly senderId: string;
  readonly senderName: string | null;
  readonly text: string;
  readonly clientMessageId: string | null;
  readonly source: string;
  readonly metadata: Record<string, unknown>;
  readonly rawMessage: Record<string, unknown>;
}

/** @throws AppError VALIDATION_ERROR */
export function parseJoin(payload: SocketPayload): JoinRequest {
  const roomId = payload['channelId'] ?? payload['roomId'];
  if (roomId === undefined || roomId === '') {
    throw new AppError(
      'VALIDATION_ERROR',
      'channelId is required for joining.',
      'Send { channelId } with the id of a channel or a session.',
    );
  }
  if (!isUuid(roomId)) {
    throw new AppError(
      'VALIDATION_ERROR',
      'channelId must be a UUID (8-4-4-4-12 hexadecimal digits)',
      'It is the id of a channel or a session.',
    );
  }
  const after = payload['after'] ?? payload['offset'];
  if (after !== undefined && after !== null && !(typeof after === 'number' && Number.isSafeInteger(after) && after >= 0)) {
    throw new AppError(
      'VALIDATION_ERROR',
      'after must be a whole number of at least 0',
      'It is the offset of the last event that was received.',
    );
  }
  const agentId = payload['agentId'];
  return { roomId: roomId.toLowerCase(), ...(isUuid(agentId) ? { agentId } : {}), ...(typeof after === 'number' ? { after } : {}) };
}

/** @throws AppError VALIDATION_ERROR naming missing and invalid fields */
export function parseSend(payload: SocketPayload, entityId: string): SendRequest {
  const channelId = payload['channelId'] ?? payload['roomId'];
  const serverId = payload['messageServerId'] ?? payload['serverId'] ?? payload['message_server_id'] ?? undefined;
  const senderId = payload['senderId'] ?? payload['author_id'] ?? entityId;
  const text = payload['message'] ?? payload['text'];
  const clientMessageId = payload['messageId'] ?? payload['clientMessageId'] ?? null;
  const faults = [
    isUuid(channelId) ? '' : 'channelId must be a UUID',
    serverId === undefined || isUuid(serverId) ? '' : 'messageServerId must be a UUID',
    isUuid(senderId) ? '' : 'senderId must be a UUID',
    typeof text === 'string' && text.trim() !== '' && text.length <= MAX_MESSAGE_LENGTH
      ? ''
      : `message must be text of 1 to ${MAX_MESSAGE_LENGTH} characters`,
    optionalObject(payload['metadata']) ? '' : 'metadata must be an object',
    clientMessageId === null || isKey(clientMessageId) ? '' : `messageId must be text of 1 to ${MAX_KEY_LENGTH} characters`,
    payload['attachments'] === undefined || payload['attachments'] === null || Array.isArray(payload['attachments'])
      ? ''
      : 'attachments must be a list',
  ].filter((fault) => fault !== '');
  if (faults.length > 0) throw new AppError('VALIDATION_ERROR', `For SEND_MESSAGE: ${faults[0] ?? ''}`, faults.join('; '));
  const senderName = payload['senderName'];
  const targetUserId = payload['targetUserId'];
  return {
    channelId: (channelId as string).toLowerCase(),
    ...(serverId === undefined ? {} : { serverId: serverId as string }),
    senderId: senderId as string,
    senderName: typeof senderName === 'string' && senderName !== '' ? senderName.slice(0, 255) : null,
    text: text as string,
    clientMessageId: clientMessageId as string | null,
    source: typeof payload['source'] === 'string' && payload['source'] !== '' ? payload['source'].slice(0, 255) : 'socketio_client',
    metadata: {
      ...(payload['metadata'] as Record<string, unknown> | null | undefined),
      ...(isUuid(targetUserId) ? { targetUserId } : {}),
      ...(Array.isArray(payload['attachments']) ? { attachments: payload['attachments'] } : {}),
    },
    rawMessage: payload,
  };
}

function isKey(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MAX_KEY_LENGTH;
}

function optionalObject(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && !Array.isArray(value));
}
