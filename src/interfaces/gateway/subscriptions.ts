import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Server, Socket } from 'socket.io';
import { Clock, PeriodicTask } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { Journal, type JournalEntry } from '../../core/journal/index.js';
import type { Caller } from '../../core/http/index.js';
import { Log } from '../../core/logging/index.js';
import { ChannelReadAccess } from '../../modules/messaging/index.js';
import { backlogBytes, disconnectSlow } from './backlog.js';
import { gapEvent, wireEvents } from './wire-events.js';

const CHECK_INTERVAL_MS = 500;
// Interval at which a replay checks the client's backlog.
const PAUSE_MS = 20;
const MAX_BUFFERED = 500;

/** Subscriptions of sockets to channels. The subscribers of a channel are a socket.io room. */
@Injectable()
export class Subscriptions implements OnApplicationShutdown {
  /** Channels whose missed events are being replayed to a socket, with a symbol that identifies the newest join. */
  private readonly catchingUp = new WeakMap<Socket, Map<string, symbol>>();

  /** Sockets whose permissions depend on the participants of a channel. */
  private readonly restricted = new Map<Socket, Caller>();

  private slowClients: PeriodicTask | undefined;

  private readonly log = new Log('gateway');

  constructor(
    private readonly journal: Journal,
    private readonly clock: Clock,
    private readonly audience: ChannelReadAccess,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Sends new journal entries to the subscribers of their channels. */
  broadcastOn(server: Server): void {
    const { rooms } = server.of('/').adapter;
    this.slowClients = new PeriodicTask(
      this.clock,
      CHECK_INTERVAL_MS,
      async () => this.disconnectSlowClients(server),
      (error) => this.log.error('slow sockets could not be disconnected', error),
    );
    this.slowClients.start();
    const watches = new Map<string, () => void>();
    const { adapter } = server.of('/');
    adapter.on('create-room', (name: string) => {
      const channelId = channelOf(name);
      if (channelId !== undefined) watches.set(name, this.journal.watch(channelId).stop);
    });
    adapter.on('delete-room', (name: string) => {
      watches.get(name)?.();
      watches.delete(name);
    });
    this.journal.subscribeToWatched((entry) => {
      this.unsubscribeExcluded(entry);
      // Most channels have no subscribers, and this check is cheaper than encoding an event.
      if (entry.channelId === null || !rooms.has(room(entry.channelId))) return;
      for (const { name, payload } of wireEvents(entry)) server.to(room(entry.channelId)).emit(name, payload);
    });
  }

  /** Tracks a socket whose caller may not read every channel. */
  trackRestricted(socket: Socket, caller: Caller): void {
    if (!ChannelReadAccess.isLimited(caller)) return;
    this.restricted.set(socket, caller);
    socket.once('disconnect', () => this.restricted.delete(socket));
  }

  isSubscribed(socket: Socket, channelId: string): boolean {
    return socket.rooms.has(room(channelId)) || this.catchingUp.get(socket)?.has(channelId) === true;
  }

  leave(socket: Socket, channelId: string): void {
    this.catchingUp.get(socket)?.delete(channelId);
    void socket.leave(room(channelId));
  }

  /**
   * Subscribes a socket to a channel. With a cursor, it first replays all later events, or sends `gap` when they have been deleted. No
   * event is lost or duplicated between the replay and live events.
   *
   * @param after offset of the last event that the client received; undefined for live events only
   */
  async join(socket: Socket, channelId: string, after?: number): Promise<void> {
    this.leave(socket, channelId);
    const mark = Symbol('join');
    const marks = this.catchingUp.get(socket) ?? new Map<string, symbol>();
    this.catchingUp.set(socket, marks.set(channelId, mark));
    // False once the socket disconnects, leaves, or joins again.
    const isCurrent = (): boolean => socket.connected && marks.get(channelId) === mark;
    let cursor = after ?? Number.POSITIVE_INFINITY;
    let meanwhile: JournalEntry[] = [];
    // True when the buffer overflowed; the rest is read from the database.
    let behind = false;
    const { ready, stop } = this.journal.watch(channelId, (entry) => {
      if (after === undefined) return;
      if (meanwhile.length < MAX_BUFFERED) meanwhile.push(entry);
      else behind = true;
    });
    try {
      await ready;
      const replays = after !== undefined;
      do {
        behind = false;
        meanwhile = [];
        if (!replays) break;
        const upTo = this.journal.tail;
        for await (const entry of this.journal.missed(channelId, cursor, upTo)) {
          while (isCurrent() && backlogBytes(socket) > this.config.socketBacklogBytes / 2) await this.pause();
          if (!isCurrent()) return;
          if (entry.type === 'gap') {
            const { name, payload } = gapEvent(entry, channelId);
            socket.emit(name, payload);
            cursor = entry.to;
          } else {
            emit(socket, entry);
          }
        }
        if (!isCurrent()) return;
        cursor = Math.max(cursor, upTo);
      } while (behind);
      if (!isCurrent()) return;
      // Synchronous from here on, so that the next entry is dispatched to the room.
      for (const entry of meanwhile) if (entry.offset > cursor) emit(socket, entry);
      void socket.join(room(channelId));
    } finally {
      stop();
      if (marks.get(channelId) === mark) marks.delete(channelId);
    }
  }

  /** Unsubscribes sockets that lose access by an entry, before the entry is sent. */
  private unsubscribeExcluded(entry: JournalEntry): void {
    const { channelId } = entry;
    if (channelId === null || (entry.type !== 'channel.created' && entry.type !== 'channel.updated')) return;
    for (const [socket, caller] of this.restricted) {
      if (!this.isSubscribed(socket, channelId) || !this.audience.revokes(entry, caller)) continue;
      this.leave(socket, channelId);
      socket.emit('channel_left', { channelId, roomId: channelId });
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.slowClients?.stop();
  }

  /** Disconnects slow clients, to bound their backlog. */
  private disconnectSlowClients(server: Server): void {
    for (const socket of server.of('/').sockets.values()) {
      const bytes = backlogBytes(socket);
      if (bytes <= this.config.socketBacklogBytes) continue;
      this.log.warn('a socket is disconnected: its client reads too slowly', { socket: socket.id, bytes });
      disconnectSlow(socket);
    }
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => this.clock.after(PAUSE_MS, resolve));
  }
}

function emit(socket: Socket, entry: JournalEntry): void {
  for (const { name, payload } of wireEvents(entry)) socket.emit(name, payload);
}

const ROOM = 'channel:';

function room(channelId: string): string {
  return `${ROOM}${channelId}`;
}

function channelOf(name: string): string | undefined {
  return name.startsWith(ROOM) ? name.slice(ROOM.length) : undefined;
}
