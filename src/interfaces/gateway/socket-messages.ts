import { AppError } from '../../core/errors/index.js';
import { parseCursor, type Cursor } from '../../core/journal/index.js';
import { isUuid } from '../../core/ids/index.js';
import { cutText, firstCharacters, hasAtMost } from '../../core/text/index.js';
import { attachmentsError, MAX_KEY_LENGTH, MAX_MESSAGE_LENGTH, metadataError } from '../../modules/messaging/index.js';

export type SocketPayload = Record<string, unknown>;

/** The payload as an object; an empty object for any other value. */
export function objectOf(value: unknown): SocketPayload {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as SocketPayload) : {};
}

/** Message types of client messages (contract 3.2). */
export const ROOM_JOINING = 1;
export const SEND_MESSAGE = 2;

/** A request to join a channel. */
export interface JoinRequest {
  readonly roomId: string;
  readonly agentId?: string;
  readonly after?: Cursor;
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

/** What an error tells to send, by event. */
const SHAPES = {
  join: 'Send { channelId, after?, agentId? }.',
  send: 'Send { channelId, message, senderId?, senderName?, messageServerId?, messageId?, source?, attachments?, metadata?, targetUserId? }.',
  message: 'Send { type: 1, payload: { channelId } } to join, or { type: 2, payload: { channelId, message } } to send.',
};

/** What a value is, for errors. */
function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value === 'string' ? `text ("${cutText(value, 40)}")` : `a ${typeof value}`;
}

/** The first argument of an event. @throws AppError VALIDATION_ERROR unless it is an object or absent */
export function payloadOf(name: string, value: unknown): SocketPayload {
  if (value === undefined || value === null || value instanceof Uint8Array) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as SocketPayload;
  throw new AppError(
    'VALIDATION_ERROR',
    `The payload of "${name}" must be an object, but is ${kindOf(value)}.`,
    `Send one object, such as socket.emit("${name}", { channelId }). docs/reference/events.md shows whole messages.`,
  );
}

/** The type and the payload of a `message` event. @throws AppError VALIDATION_ERROR naming what is wrong */
export function parseMessage({ type, payload }: SocketPayload): { type: 1 | 2; payload: SocketPayload } {
  if (type !== ROOM_JOINING && type !== SEND_MESSAGE) {
    throw new AppError('VALIDATION_ERROR', `type must be the number 1 (join) or 2 (send), but is ${kindOf(type)}.`, SHAPES.message);
  }
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    throw new AppError('VALIDATION_ERROR', `payload must be an object, but is ${kindOf(payload)}.`, SHAPES.message);
  }
  return { type, payload: payload as SocketPayload };
}

/** @throws AppError VALIDATION_ERROR naming the field */
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
      `channelId must be a UUID (8-4-4-4-12 hexadecimal digits), but is ${kindOf(roomId)}`,
      `It is the id of a channel or a session. ${SHAPES.join}`,
    );
  }
  const last = payload['after'] ?? payload['offset'];
  const after = last === undefined || last === null ? undefined : parseCursor(last, 'after');
  const agentId = payload['agentId'];
  if (!isAbsent(agentId) && !isUuid(agentId)) {
    throw new AppError('VALIDATION_ERROR', `agentId must be a UUID, but is ${kindOf(agentId)}`, `Or leave it out. ${SHAPES.join}`);
  }
  return { roomId: roomId.toLowerCase(), ...(isUuid(agentId) ? { agentId } : {}), ...(after === undefined ? {} : { after }) };
}

/** @throws AppError VALIDATION_ERROR naming missing and invalid fields */
export function parseSend(payload: SocketPayload, entityId: string): SendRequest {
  const channelId = payload['channelId'] ?? payload['roomId'];
  const serverId = payload['messageServerId'] ?? payload['serverId'] ?? payload['message_server_id'] ?? undefined;
  const senderId = payload['senderId'] ?? payload['author_id'] ?? entityId;
  const text = payload['message'] ?? payload['text'];
  const clientMessageId = payload['messageId'] ?? payload['clientMessageId'] ?? null;
  const { message: _message, text: _text, metadata: _metadata, attachments: _attachments, ...rest } = payload;
  const faults = [
    isUuid(channelId) ? '' : 'channelId must be a UUID',
    serverId === undefined || isUuid(serverId) ? '' : 'messageServerId must be a UUID',
    isUuid(senderId) ? '' : 'senderId must be a UUID',
    typeof text === 'string' && text.trim() !== '' && hasAtMost(text, MAX_MESSAGE_LENGTH)
      ? ''
      : `message must be text of 1 to ${MAX_MESSAGE_LENGTH} characters`,
    optional('metadata', payload['metadata'], metadataError),
    clientMessageId === null || isKey(clientMessageId) ? '' : `messageId must be text of 1 to ${MAX_KEY_LENGTH} characters`,
    optional('attachments', payload['attachments'], attachmentsError),
    metadataError(rest) === undefined ? '' : `the payload, without message, metadata and attachments, ${metadataError(rest)}`,
    ...['senderName', 'source'].map((field) =>
      isAbsent(payload[field]) || typeof payload[field] === 'string' ? '' : `${field} must be text`,
    ),
    isAbsent(payload['targetUserId']) || isUuid(payload['targetUserId']) ? '' : 'targetUserId must be a UUID',
  ].filter((fault) => fault !== '');
  if (faults.length > 0) {
    throw new AppError('VALIDATION_ERROR', `For SEND_MESSAGE: ${faults[0] ?? ''}`, `${faults.join('; ')}. ${SHAPES.send}`);
  }
  const senderName = payload['senderName'];
  const targetUserId = payload['targetUserId'];
  return {
    channelId: (channelId as string).toLowerCase(),
    ...(serverId === undefined ? {} : { serverId: serverId as string }),
    senderId: senderId as string,
    senderName: typeof senderName === 'string' && senderName !== '' ? firstCharacters(senderName, 255) : null,
    text: text as string,
    clientMessageId: clientMessageId as string | null,
    source: typeof payload['source'] === 'string' && payload['source'] !== '' ? firstCharacters(payload['source'], 255) : 'socketio_client',
    metadata: {
      ...(payload['metadata'] as Record<string, unknown> | null | undefined),
      ...(isUuid(targetUserId) ? { targetUserId } : {}),
      ...(Array.isArray(payload['attachments']) ? { attachments: payload['attachments'] } : {}),
    },
    rawMessage: payload,
  };
}

function isKey(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && hasAtMost(value, MAX_KEY_LENGTH);
}

function optional(name: string, value: unknown, errorOf: (value: unknown) => string | undefined): string {
  const fault = value === undefined || value === null ? undefined : errorOf(value);
  return fault === undefined ? '' : `${name} ${fault}`;
}

/** Whether an optional field says nothing; clients send empty texts and null for it. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
