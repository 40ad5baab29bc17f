import { Injectable } from '@nestjs/common';
import type { Server, Socket } from 'socket.io';
import { Journal, type Gap, type JournalEntry } from '../../core/journal/index.js';
import { wireEvents } from './wire-events.js';

/** Which sockets hear which channel. A room of socket.io is a channel's live audience. */
@Injectable()
export class Subscriptions {
  /** Channels whose past a socket is still being told. The mark of the newest join is the one that counts. */
  private readonly catchingUp = new WeakMap<Socket, Map<string, symbol>>();

  constructor(private readonly journal: Journal) {}

  /** Sends each new entry of the journal to the sockets that hear its channel, for as long as the server lives. */
  broadcastOn(server: Server): void {
    const { rooms } = server.of('/').adapter;
    this.journal.listen((entry) => {
      // Most channels have nobody who listens, and packing an event costs more than looking.
      if (entry.channelId === null || !rooms.has(room(entry.channelId))) return;
      for (const { name, payload } of wireEvents(entry)) server.to(room(entry.channelId)).emit(name, payload);
    });
  }

  hears(socket: Socket, channelId: string): boolean {
    return socket.rooms.has(room(channelId)) || this.catchingUp.get(socket)?.has(channelId) === true;
  }

  leave(socket: Socket, channelId: string): void {
    this.catchingUp.get(socket)?.delete(channelId);
    void socket.leave(room(channelId));
  }

  /**
   * Lets a socket hear a channel. With a cursor it first gets everything that was appended behind it, in order and once,
   * or a `gap` event when that is no longer kept; nothing is lost or doubled between the past and the present.
   *
   * @param after offset of the last event that the client heard; undefined to hear only what comes
   */
  async join(socket: Socket, channelId: string, after?: number): Promise<void> {
    this.leave(socket, channelId);
    if (after === undefined) {
      await socket.join(room(channelId));
      return;
    }
    const mark = Symbol('join');
    const marks = this.catchingUp.get(socket) ?? new Map<string, symbol>();
    this.catchingUp.set(socket, marks.set(channelId, mark));
    // Until it goes, leaves, or joins again.
    const stillWanted = (): boolean => socket.connected && marks.get(channelId) === mark;
    const meanwhile: JournalEntry[] = [];
    const stop = this.journal.listenToChannel(channelId, (entry) => meanwhile.push(entry));
    try {
      for await (const entry of this.journal.missed(channelId, after, this.journal.tail)) {
        if (!stillWanted()) return;
        emit(socket, entry);
      }
      if (!stillWanted()) return;
      // Without a pause from here on: what is dispatched next goes to the room.
      for (const entry of meanwhile) if (entry.offset > after) emit(socket, entry);
      void socket.join(room(channelId));
    } finally {
      stop();
      if (marks.get(channelId) === mark) marks.delete(channelId);
    }
  }
}

function emit(socket: Socket, entry: JournalEntry | Gap): void {
  for (const { name, payload } of wireEvents(entry)) socket.emit(name, payload);
}

function room(channelId: string): string {
  return `channel:${channelId}`;
}
