import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';

/** An event that the client received. */
export interface ReceivedEvent {
  readonly name: string;
  // Looked at field by field in tests.
  readonly payload: ReturnType<typeof JSON.parse>;
}

const PATIENCE_MS = 60_000;

/** A stock socket.io client that writes down everything it receives. It never reconnects by itself. */
export class SocketClient {
  readonly received: ReceivedEvent[] = [];
  readonly socket: Socket;
  private readonly waiting = new Set<() => void>();

  constructor(url: string, options: Partial<ManagerOptions & SocketOptions> = {}) {
    this.socket = io(url, { transports: ['websocket'], forceNew: true, reconnection: false, ...options });
    this.socket.onAny((name: string, payload: unknown) => {
      this.received.push({ name, payload });
      for (const look of [...this.waiting]) look();
    });
  }

  static async connect(url: string, options?: Partial<ManagerOptions & SocketOptions>): Promise<SocketClient> {
    const client = new SocketClient(url, options);
    await client.connected();
    return client;
  }

  /** Settles when the connection is accepted. @throws the refusal */
  connected(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.socket.connected) resolve();
      this.socket.once('connect', resolve);
      this.socket.once('connect_error', reject);
      // It went between the opening of the connection and the server's word.
      this.socket.once('disconnect', (reason) => reject(new Error(reason)));
    });
  }

  /** Sends an event and gives back its acknowledgement. */
  ask(name: string, payload?: unknown): Promise<ReturnType<typeof JSON.parse>> {
    return this.socket.timeout(PATIENCE_MS).emitWithAck(name, payload);
  }

  /** Settles with the first event, of those heard already and those to come, that is asked for. */
  waitFor(name: string, matches: (payload: ReceivedEvent['payload']) => boolean = () => true): Promise<ReceivedEvent['payload']> {
    return this.until(`the event ${name}`, () => this.all(name).find(matches));
  }

  /** Settles when so many events of this name were heard, with all of them. */
  waitForMany(name: string, count: number): Promise<ReceivedEvent['payload'][]> {
    return this.until(`${count} times the event ${name}`, () => (this.all(name).length >= count ? this.all(name) : undefined));
  }

  all(name: string): ReceivedEvent['payload'][] {
    return this.received.filter((event) => event.name === name).map(({ payload }) => payload);
  }

  close(): void {
    this.socket.disconnect();
  }

  private until<T>(what: string, look: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        const found = look();
        if (found === undefined) return;
        clearTimeout(giveUp);
        this.waiting.delete(settle);
        resolve(found);
      };
      const giveUp = setTimeout(() => {
        this.waiting.delete(settle);
        reject(new Error(`did not receive ${what} within ${PATIENCE_MS} ms, but: ${this.received.map(({ name }) => name).join(', ')}`));
      }, PATIENCE_MS);
      this.waiting.add(settle);
      settle();
    });
  }
}
