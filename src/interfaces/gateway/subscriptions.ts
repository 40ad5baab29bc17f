import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Server, Socket } from 'socket.io';
import { Clock, PeriodicTask } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import type { Cursor, JournalEntry } from '../../core/journal/index.js';
import { callerAddress, type Caller, type HeldAccess } from '../../core/http/index.js';
import { Log } from '../../core/logging/index.js';
import { ChannelReadAccess, Replies, type RunningText } from '../../modules/messaging/index.js';
import { backlogBytes, disconnectSlow, tooSlow } from './backlog.js';
import { gapEvent, wireEvents } from './wire-events.js';

const CHECK_INTERVAL_MS = 500;
// Interval at which a replay checks the client's backlog.
const PAUSE_MS = 20;

/** A subscriber's right to a channel. */
interface Holder {
  readonly caller: Caller;
  readonly access: HeldAccess;
}

/** Subscriptions of sockets to channels. The subscribers of a channel are a socket.io room. */
@Injectable()
export class Subscriptions implements OnApplicationShutdown {
  /** Channels whose missed events are being replayed to a socket, with a symbol that identifies the newest join. */
  private readonly catchingUp = new WeakMap<Socket, Map<string, symbol>>();

  /** Subscribers, by channel. */
  private readonly holders = new Map<string, Map<Socket, Holder>>();
  /** The channels of each of them. */
  private readonly heldBy = new WeakMap<Socket, Set<string>>();

  /** Ends of the newest replay to a socket: one at a time reads, so that a socket holds one page of entries, however many channels it joins. */
  private readonly replays = new WeakMap<Socket, Promise<void>>();

  private readonly addressOf: ReturnType<typeof callerAddress>;

  private slowClients: PeriodicTask | undefined;

  private readonly log = new Log('gateway');

  constructor(
    private readonly replies: Replies,
    private readonly clock: Clock,
    private readonly audience: ChannelReadAccess,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.addressOf = callerAddress(config);
  }

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
    const { adapter } = server.of('/');
    adapter.on('delete-room', (name: string) => {
      const channelId = channelOf(name);
      if (channelId !== undefined) this.replies.closeGroup(channelId);
    });
    this.replies.broadcast((channelId, event) => {
      this.unsubscribeExcluded(channelId, event.entry);
      // Most channels have no subscribers, and this check is cheaper than encoding an event.
      if (!rooms.has(room(channelId))) return;
      for (const { name, payload } of wireEvents(event)) server.to(room(channelId)).emit(name, payload);
    });
  }

  isSubscribed(socket: Socket, channelId: string): boolean {
    return socket.rooms.has(room(channelId)) || this.catchingUp.get(socket)?.has(channelId) === true;
  }

  leave(socket: Socket, channelId: string): void {
    this.release(socket, channelId);
    this.catchingUp.get(socket)?.delete(channelId);
    void socket.leave(room(channelId));
  }

  /**
   * Subscribes a socket to a channel. With a cursor, it first replays all later events, or sends `gap` when they have been deleted. No
   * event is lost or duplicated between the replay and live events.
   *
   * @param holder ends the subscription when its access is lost
   * @param after behind the last event that the client received; undefined for live events and the running reply only
   */
  async join(socket: Socket, channelId: string, holder: Holder, after?: Cursor): Promise<void> {
    this.leave(socket, channelId);
    this.hold(socket, channelId, holder);
    const mark = Symbol('join');
    const marks = this.catchingUp.get(socket) ?? new Map<string, symbol>();
    this.catchingUp.set(socket, marks.set(channelId, mark));
    // False once the socket disconnects, leaves, or joins again.
    const isCurrent = (): boolean => socket.connected && marks.get(channelId) === mark;
    const reading = new AbortController();
    const onCurrent = (text: RunningText): void => {
      if (isCurrent()) {
        if (!this.replies.joinGroup(channelId, text)) return;
        void socket.join(room(channelId));
      }
      reading.abort();
    };
    const ended = after === undefined ? undefined : await this.turn(socket);
    try {
      for await (const event of this.replies.followChannel(channelId, after, reading.signal, { onCurrent })) {
        while (isCurrent() && backlogBytes(socket) > this.config.socketBacklogBytes / 2) await this.pause();
        if (!isCurrent()) return;
        for (const { name, payload } of event.cursor === undefined ? [gapEvent(event.entry, channelId)] : wireEvents(event)) {
          socket.emit(name, payload);
        }
      }
    } finally {
      reading.abort();
      ended?.();
      if (marks.get(channelId) === mark) marks.delete(channelId);
    }
  }

  private hold(socket: Socket, channelId: string, holder: Holder): void {
    if (!socket.connected) {
      holder.access.release();
      return;
    }
    this.holders.set(channelId, (this.holders.get(channelId) ?? new Map<Socket, Holder>()).set(socket, holder));
    let held = this.heldBy.get(socket);
    if (held === undefined) {
      const channels = (held = new Set());
      this.heldBy.set(socket, channels);
      socket.once('disconnect', () => {
        for (const each of channels) this.release(socket, each);
      });
    }
    held.add(channelId);
    holder.access.signal.addEventListener('abort', () => this.revoke(socket, channelId), { once: true });
  }

  private release(socket: Socket, channelId: string): void {
    const holders = this.holders.get(channelId);
    holders?.get(socket)?.access.release();
    holders?.delete(socket);
    if (holders?.size === 0) this.holders.delete(channelId);
    this.heldBy.get(socket)?.delete(channelId);
  }

  private revoke(socket: Socket, channelId: string): void {
    if (!this.isSubscribed(socket, channelId)) return;
    this.leave(socket, channelId);
    socket.emit('channel_left', { channelId, roomId: channelId });
  }

  /** Unsubscribes sockets that lose access by an entry, before the entry is sent. */
  private unsubscribeExcluded(channelId: string, entry: JournalEntry): void {
    for (const [socket, { caller }] of this.holders.get(channelId) ?? []) {
      if (this.audience.revokes(entry, caller)) this.revoke(socket, channelId);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.slowClients?.stop();
  }

  /** Disconnects slow clients, to bound their backlog. */
  private disconnectSlowClients(server: Server): void {
    const sockets = [...server.of('/').sockets.values()].map((socket) => ({ socket, bytes: backlogBytes(socket) }));
    const waiting = sockets.filter(({ bytes }) => bytes > 0).map((each) => ({ ...each, address: this.addressOf(each.socket.request) }));
    for (const { socket, bytes } of tooSlow(waiting, this.config)) {
      this.log.warn('a socket is disconnected: its client reads too slowly', { socket: socket.id, bytes });
      disconnectSlow(socket);
    }
  }

  /** Waits for the earlier replays to a socket. @returns a function that ends the turn */
  private async turn(socket: Socket): Promise<() => void> {
    const before = this.replays.get(socket);
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    this.replays.set(socket, before ? before.then(() => ended) : ended);
    await before;
    return end;
  }

  /** Resolves when the client has read most of what it has been sent, or is gone. */
  async hasRead(socket: Socket): Promise<void> {
    while (socket.connected && backlogBytes(socket) > this.config.socketBacklogBytes / 4) await this.pause();
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => this.clock.after(PAUSE_MS, resolve));
  }
}

const ROOM = 'channel:';

function room(channelId: string): string {
  return `${ROOM}${channelId}`;
}

function channelOf(name: string): string | undefined {
  return name.startsWith(ROOM) ? name.slice(ROOM.length) : undefined;
}
