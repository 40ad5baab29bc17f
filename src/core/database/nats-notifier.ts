import { connect, type ConnectionOptions, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import { PeriodicTask, SystemClock } from '../clock/index.js';
import { Log } from '../logging/index.js';
import { Hints } from './hints.js';
import { ANYTHING, type Notifier, type NotifierState, type ProcessMessages } from './notifier.js';
import type { AppendedEntry } from './statement.js';

const CHECK_MS = 1000;
const CONNECT_MS = 2000;
// Two unanswered pings end a connection.
const PING_MS = 5000;

/**
 * Hints over NATS: a message is `hint hint …`. While NATS cannot be reached, hints are dropped, and the journal is polled. The client's own
 * way of reconnecting is not used: it would keep hints for later, and could not be stopped before the first connection.
 */
export class NatsNotifier implements Notifier {
  private readonly hints = new Hints(() => this.send());
  private readonly check = new PeriodicTask(
    new SystemClock(),
    CHECK_MS,
    () => this.repair(),
    (error) => this.lost(error),
  );
  private readonly log = new Log('events');
  private readonly servers: readonly URL[];
  private connection: NatsConnection | undefined;
  private readonly topics = new Map<string, { readonly listener: (text: string) => void; subscription?: Subscription | undefined }>();
  private wasReached: boolean | undefined;

  /**
   * @param servers addresses of one NATS cluster
   * @param subject the same for all processes of a database, and for no others
   */
  constructor(
    servers: readonly string[],
    private readonly subject: string,
  ) {
    this.servers = servers.map((server) => new URL(server));
  }

  get state(): NotifierState {
    return this.connection ? 'connected' : 'unheard';
  }

  get advice(): string | undefined {
    return this.connection
      ? undefined
      : `NATS does not accept a connection, so the journal is polled: check NATS and EVENTS_URL (${this.hosts})`;
  }

  listen(listener: (hints: readonly string[]) => void): void {
    this.hints.listen(listener);
  }

  async open(): Promise<void> {
    await this.repair().catch((error: unknown) => this.lost(error));
    this.check.start();
  }

  notify(appended: readonly AppendedEntry[]): void {
    this.hints.gather(appended);
  }

  take(): undefined {
    return undefined;
  }

  async close(): Promise<void> {
    this.hints.stop();
    await this.check.stop();
    const connection = this.connection;
    this.connection = undefined;
    await connection?.close();
  }

  readonly messages: ProcessMessages = {
    publish: (topic, text) => void this.connection?.publish(`${this.subject}.${topic}`, text),
    subscribe: (topic, listener) => {
      const topicListener = { listener, subscription: this.connection && this.hear(this.connection, topic, listener) };
      this.topics.set(topic, topicListener);
      return () => {
        topicListener.subscription?.unsubscribe();
        if (this.topics.get(topic) === topicListener) this.topics.delete(topic);
      };
    },
  };

  private hear(connection: NatsConnection, topic: string, listener: (text: string) => void): Subscription {
    return connection.subscribe(`${this.subject}.${topic}`, {
      callback: (error, message) => {
        if (!error) listener(message.string());
      },
    });
  }

  private get hosts(): string {
    return this.servers.map(({ host }) => host).join(', ');
  }

  /** The same for all addresses, of which one has to name it. A name without a password is a token. */
  private get access(): Pick<ConnectionOptions, 'user' | 'pass' | 'token' | 'tls'> {
    const { username = '', password = '' } = this.servers.find((server) => server.username !== '') ?? {};
    const user = decodeURIComponent(username);
    const tls = this.servers.some(({ protocol }) => protocol === 'tls:') ? { tls: {} } : {};
    if (user === '') return tls;
    return password === '' ? { ...tls, token: user } : { ...tls, user, pass: decodeURIComponent(password) };
  }

  private send(): void {
    const hints = this.hints.take();
    this.connection?.publish(this.subject, hints.join(' '));
  }

  private async repair(): Promise<void> {
    if (this.connection) return;
    const connection = await this.connect();
    if (this.wasReached === false) this.log.info('NATS is connected again', { servers: this.hosts });
    this.wasReached = true;
    this.connection = connection;
    for (const [topic, known] of this.topics) known.subscription = this.hear(connection, topic, known.listener);
    void connection.closed().then((error) => {
      if (this.connection !== connection) return;
      this.connection = undefined;
      this.lost(error);
    });
    this.hints.notify([ANYTHING]);
  }

  private async connect(): Promise<NatsConnection> {
    const connection = await connect({
      servers: this.servers.map(({ host }) => host),
      ...this.access,
      name: 'parley',
      noEcho: true,
      reconnect: false,
      timeout: CONNECT_MS,
      pingInterval: PING_MS,
    });
    let refused: Error | undefined;
    void (async () => {
      for await (const status of connection.status()) if (status.type === 'error') refused ??= status.error;
    })();
    connection.subscribe(this.subject, {
      callback: (error, message) => {
        if (!error) this.hints.notify(message.string().split(' '));
      },
    });
    // The other processes were not told of what this one appended while it was not connected.
    connection.publish(this.subject, ANYTHING);
    // A refusal arrives before the first response, and is known before the second.
    for (let responses = 0; responses < 2; responses++) await Promise.race([connection.flush(), connection.closed()]);
    if (!refused && !connection.isClosed()) return connection;
    await connection.close();
    throw refused ?? new Error('the connection was closed');
  }

  private lost(error: unknown): void {
    if (this.wasReached === false) return;
    this.wasReached = false;
    this.log.warn('NATS does not accept a connection; the journal is polled until it does', {
      servers: this.hosts,
      error: String(error),
      remedy: 'check that NATS runs, and EVENTS_URL',
    });
  }
}
