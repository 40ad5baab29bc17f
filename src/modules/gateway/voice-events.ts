import { Injectable } from '@nestjs/common';
import type { Socket } from 'socket.io';
import { Clock } from '../../core/clock/index.js';
import { AppError } from '../../core/errors/index.js';
import type { Users } from '../../core/http/index.js';
import { isUuid } from '../../core/ids/index.js';
import { readVoiceStart, VoiceCalls, type VoiceCall } from '../audio/index.js';
import { backlogBytes } from './backlog.js';
import type { SocketEvents } from './socket-events.js';
import { joinRequest, type SocketPayload } from './socket-messages.js';

/** Who speaks in which channel, after it was settled that they may. */
export interface Speaker {
  readonly channelId: string;
  readonly senderId: string;
  /** Whom its credential vouches for. */
  readonly users: Users;
}

/** @throws AppError when the client may not speak there, or not as that one */
export type Admit = (roomId: string, senderId: string | undefined, payload: SocketPayload) => Promise<Speaker>;

// Speech is made faster than it is heard: more than this is not sent ahead to a client that does not read it.
const AHEAD_BYTES = 256 * 1024;
const LOOK_AGAIN_MS = 20;

/** The events of a conversation by voice: chunks of a recording come in, and the answer's sentences go out as they are spoken. */
@Injectable()
export class VoiceEvents {
  constructor(
    private readonly calls: VoiceCalls,
    private readonly clock: Clock,
  ) {}

  /** Registers the events of one socket. */
  of(socket: Socket, events: SocketEvents, admit: Admit): void {
    const call = this.calls.open((name, payload) => this.tell(socket, name, payload));
    socket.once('disconnect', () => call.close());
    events.onAudio('audioStart', (payload) => begin(call, payload, admit));
    events.onAudio('audioChunk', (payload) => ({ receivedBytes: call.append(bytesOf(payload)) }), { binary: true });
    events.onAudio('audioEnd', () => call.end());
    events.onAudio('audioCancel', () => {
      call.cancel();
      return {};
    });
  }

  /** Waits, after the event is out, until not too much is on its way to the client. */
  private async tell(socket: Socket, name: string, payload: Record<string, unknown>): Promise<void> {
    socket.emit(name, payload);
    while (socket.connected && backlogBytes(socket) > AHEAD_BYTES) {
      await new Promise<void>((resolve) => this.clock.after(LOOK_AGAIN_MS, resolve));
    }
  }
}

async function begin(call: VoiceCall, payload: SocketPayload, admit: Admit): Promise<Record<string, unknown>> {
  const request = (async () => {
    const { roomId } = joinRequest(payload);
    const start = readVoiceStart(payload);
    const senderId = payload['senderId'];
    if (senderId !== undefined && !isUuid(senderId)) throw new AppError('VALIDATION_ERROR', 'senderId must be a UUID', 'Or leave it out.');
    const name = payload['senderName'];
    const speaker = await admit(roomId, senderId, payload);
    const authorName = typeof name === 'string' && name !== '' ? name.slice(0, 255) : null;
    return { ...start, channelId: speaker.channelId, authorId: speaker.senderId, authorName, users: speaker.users };
  })();
  const utteranceId = call.begin(request);
  const { channelId } = await request;
  return { utteranceId, channelId };
}

/** A chunk as bytes, bare or as `audio` of an object. */
function bytesOf(payload: unknown): Uint8Array {
  const chunk = payload instanceof Uint8Array ? payload : (payload as SocketPayload)['audio'];
  if (chunk instanceof Uint8Array && chunk.length > 0) return chunk;
  throw new AppError('VALIDATION_ERROR', 'audio must be bytes', 'Send the chunk as binary data, bare or as { audio }.');
}
