import { AppError } from '../../core/errors/index.js';
import { DEFAULT_SERVER_ID } from '../../core/ids/index.js';

export function channelNotFound(id: string): AppError {
  return new AppError(
    'CHANNEL_NOT_FOUND',
    `Channel ${id} not found`,
    'GET /api/messaging/message-servers/{id}/channels lists the channels of a server.',
  );
}

export function serverNotFound(id: string): AppError {
  return new AppError('MESSAGE_SERVER_NOT_FOUND', `Message server ${id} not found`, `The default server is ${DEFAULT_SERVER_ID}.`);
}

export function messageNotFound(id: string, channelId?: string): AppError {
  return new AppError('MESSAGE_NOT_FOUND', `Message ${id} not found${channelId === undefined ? '' : ` in channel ${channelId}`}`);
}

export function participantNotFound(entityId: string, where: string): AppError {
  return new AppError('PARTICIPANT_NOT_FOUND', `Agent ${entityId} does not take part in ${where}.`);
}
