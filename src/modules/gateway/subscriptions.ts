import { Inject, Injectable } from '@nestjs/common';
import type { Server, Socket } from 'socket.io';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { Journal, type Gap, type JournalEntry } from '../../core/journal/index.js';
import type { Caller } from '../../core/http/index.js';
import { Log } from '../../core/logging/index.js';
import { ChannelAudience } from '../messaging/index.js';
import { backlogBytes, cutSlow } from './backlog.js';
import { wireEvents } from './wire-events.js';

const LOOK_EVERY_MS = 500;
// How often a reader of the past looks whether its client has caught up.
const PAUSE_MS = 20;
const MOST_MEANWHILE = 500;

/** Which sockets hear which channel. A room of socket.io is a channel's live audience. */
@Injectable()
export class Subscriptions {
  /** Channels whose past a socket is still being told. The mark of the newest join is the one that counts. */
  private readonly catchingUp = new WeakMap<Socket, Map<string, symbol>>();

  /** Sockets whose rights depend on who takes part in a channel. */
  private readonly limited = new Map<Socket, Caller>();

  private readonly log = new Log('gateway');

  constructor(
    private readonly journal: Journal,
    private readonly clock: Clock,
    private readonly audience: ChannelAudience,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Sends each new entry of the journal to the sockets that hear its channel, for as long as the server lives. */
  broadcastOn(server: Server): void {
    const { rooms } = server.of('/').adapter;
    this.watch(server);
    this.journal.listen((entry) => {
      this.close(entry);
      // Most channels have nobody who listens, and packing an event costs more than looking.
      if (entry.channelId === null || !rooms.has(room(entry.channelId))) return;
      for (const { name, payload } of wireEvents(entry)) server.to(room(entry.channelId)).emit(name, payload);
    });
  }

  /** Watches over what a socket hears, if its caller may not hear every channel. */
  guard(socket: Socket, caller: Caller): void {
    if (!ChannelAudience.isLimited(caller)) return;
    this.limited.set(socket, caller);
    socket.once('disconnect', () => this.limited.delete(socket));
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
    let cursor = after;
    let meanwhile: JournalEntry[] = [];
    // More came than is kept for it: that is read from the database too.
    let behind = false;
    const stop = this.journal.listenToChannel(channelId, (entry) => {
      if (meanwhile.length < MOST_MEANWHILE) meanwhile.push(entry);
      else behind = true;
    });
    try {
      do {
        behind = false;
        meanwhile = [];
        const upTo = this.journal.tail;
        for await (const entry of this.journal.missed(channelId, cursor, upTo)) {
          while (stillWanted() && backlogBytes(socket) > this.config.socketBacklogBytes / 2) await this.pause();
          if (!stillWanted()) return;
          emit(socket, entry);
          if (entry.type === 'gap') cursor = entry.to;
        }
        if (!stillWanted()) return;
        cursor = Math.max(cursor, upTo);
      } while (behind);
      // Without a pause from here on: what is dispatched next goes to the room.
      for (const entry of meanwhile) if (entry.offset > cursor) emit(socket, entry);
      void socket.join(room(channelId));
    } finally {
      stop();
      if (marks.get(channelId) === mark) marks.delete(channelId);
    }
  }

  /** Takes a channel away from who may no longer hear it, before it is told of what closed it. */
  private close(entry: JournalEntry): void {
    const { channelId } = entry;
    if (channelId === null || (entry.type !== 'channel.created' && entry.type !== 'channel.updated')) return;
    for (const [socket, caller] of this.limited) {
      if (!this.hears(socket, channelId) || !this.audience.closes(entry, caller)) continue;
      this.leave(socket, channelId);
      socket.emit('channel_left', { channelId, roomId: channelId });
    }
  }

  /** A client that reads slower than it is told is cut before what waits for it fills the memory. */
  private watch(server: Server): void {
    this.clock.after(LOOK_EVERY_MS, () => {
      this.watch(server);
      for (const socket of server.of('/').sockets.values()) {
        const bytes = backlogBytes(socket);
        if (bytes <= this.config.socketBacklogBytes) continue;
        this.log.warn('a socket reads too slowly and is cut', { socket: socket.id, bytes });
        cutSlow(socket);
      }
    });
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => this.clock.after(PAUSE_MS, resolve));
  }
}

function emit(socket: Socket, entry: JournalEntry | Gap): void {
  for (const { name, payload } of wireEvents(entry)) socket.emit(name, payload);
}

function room(channelId: string): string {
  return `channel:${channelId}`;
}
