import { Injectable } from '@nestjs/common';
import type { Socket } from 'socket.io';
import { Clock } from '../../core/clock/index.js';
import { AppError } from '../../core/errors/index.js';
import type { HeldAccess, Users } from '../../core/http/index.js';
import { isUuid } from '../../core/ids/index.js';
import { firstCharacters } from '../../core/text/index.js';
import { readVoiceStart, VoiceCalls, type VoiceCall } from '../../modules/audio/index.js';
import { backlogBytes } from './backlog.js';
import type { SocketEvents } from './socket-events.js';
import { parseJoin, type SocketPayload } from './socket-messages.js';

/** An authorised sender in a channel. */
export interface AuthorizedSender {
  readonly channelId: string;
  readonly senderId: string;
  /** Users that its credential vouches for. */
  readonly users: Users;
  /** Its right to hear of the channel; to be released. */
  readonly access: HeldAccess;
}

/** Authorises a sender. @throws AppError when the client may not send in the channel, or not as this sender */
export type AuthorizeSender = (roomId: string, senderId: string | undefined, payload: SocketPayload) => Promise<AuthorizedSender>;

// Speech is synthesized faster than it is played; this bounds the audio that a client has not read yet.
const MAX_BACKLOG_BYTES = 256 * 1024;
const CHECK_INTERVAL_MS = 20;

/** The events of a voice conversation: clients send chunks of a recording and receive the reply's sentences as audio. */
@Injectable()
export class VoiceEvents {
  constructor(
    private readonly calls: VoiceCalls,
    private readonly clock: Clock,
  ) {}

  /** Registers the events of one socket. */
  register(socket: Socket, events: SocketEvents, admit: AuthorizeSender): void {
    const call = this.calls.open((name, payload) => this.send(socket, name, payload));
    socket.once('disconnect', () => call.close());
    events.onAudio('audioStart', (payload) => begin(call, payload, admit));
    events.onAudio('audioChunk', (payload) => ({ receivedBytes: call.append(bytesOf(payload)) }), { binary: true });
    events.onAudio('audioEnd', () => call.end());
    events.onAudio('audioCancel', () => {
      call.cancel();
      return {};
    });
  }

  /** Sends an event, and resolves when the client's backlog is below the limit. */
  private async send(socket: Socket, name: string, payload: Record<string, unknown>): Promise<void> {
    socket.emit(name, payload);
    while (socket.connected && backlogBytes(socket) > MAX_BACKLOG_BYTES) {
      await new Promise<void>((resolve) => this.clock.after(CHECK_INTERVAL_MS, resolve));
    }
  }
}

async function begin(call: VoiceCall, payload: SocketPayload, admit: AuthorizeSender): Promise<Record<string, unknown>> {
  const request = (async () => {
    const { roomId } = parseJoin(payload);
    const start = readVoiceStart(payload);
    const senderId = payload['senderId'];
    if (senderId !== undefined && !isUuid(senderId)) throw new AppError('VALIDATION_ERROR', 'senderId must be a UUID', 'Or omit it.');
    const name = payload['senderName'];
    const speaker = await admit(roomId, senderId, payload);
    const authorName = typeof name === 'string' && name !== '' ? firstCharacters(name, 255) : null;
    const { channelId, senderId: authorId, users, access } = speaker;
    return { ...start, channelId, authorId, authorName, users, access };
  })();
  const utteranceId = call.begin(request);
  const { channelId } = await request;
  return { utteranceId, channelId };
}

/** The bytes of a chunk, sent directly or as `audio` of an object. */
function bytesOf(payload: unknown): Uint8Array {
  const chunk = payload instanceof Uint8Array ? payload : (payload as SocketPayload)['audio'];
  if (chunk instanceof Uint8Array && chunk.length > 0) return chunk;
  throw new AppError('VALIDATION_ERROR', 'audio must be bytes', 'Send the chunk as binary data, directly or as { audio }.');
}
