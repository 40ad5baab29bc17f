// Real-time events of any number of channels over one socket.io connection.
import { io, type Socket } from 'socket.io-client';
import { toChannelEvent, typeOfSocketEvent, type Gap } from './events.js';
import { errorFrom, ForbiddenError, InvalidError, networkError, ParleyError } from './errors.js';
import type { ApiClient } from './api-client.js';
import { textOption } from './options.js';
import { Follower, furthestAhead, furthestBehind, type FollowOptions } from './follower.js';
import { backoffMs, retryDelayMs } from './retries.js';
import { listenToSpeech, Utterance, type SpeechEvent, type UtteranceOptions } from './voice.js';

export type { SpeechEvent, Transcription, Utterance, UtteranceOptions } from './voice.js';

export type { FollowOptions } from './follower.js';

export type LiveState = 'connecting' | 'open' | 'reconnecting' | 'closed';

export interface Following {
  /** Behind the last event. */
  readonly cursor: string | undefined;
  readonly unfollow: () => void;
}

/** A line of the server's log. */
export interface LogLine {
  readonly level: number | string;
  readonly time: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

type Fields = Readonly<Record<string, unknown>>;
interface Acknowledgement {
  readonly ok: boolean;
  readonly error?: { readonly code: string; readonly message: string; readonly details: string };
}

/** Called with the new state, and with the reason when the server refused the connection. */
export type StateListener = (state: LiveState, error?: ParleyError) => void;

/** Opens a connection, which reconnects by itself until it is closed. */
export function connectLive(parley: ApiClient): Live {
  return new Live(parley);
}

/** One connection to a server, over which several channels are followed. */
export class Live {
  private readonly channels = new Map<string, Set<Follower>>();
  private readonly listeners = new Set<StateListener>();
  private current: LiveState = 'connecting';
  private refusal: ParleyError | undefined;
  private failures = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private logs: { readonly options: LogOptions } | undefined;
  /** For events that this class does not know, such as those of speech (docs/reference/events.md). */
  readonly socket: Socket;

  constructor(parley: ApiClient) {
    const { url } = parley.http;
    this.socket = io(url === '' ? undefined : url, {
      transports: ['websocket'],
      auth: (send) => {
        parley.http.credential().then(
          (apiKey) => send(apiKey === undefined ? {} : { apiKey }),
          (error: unknown) => {
            this.socket.disconnect();
            this.refused(error instanceof ParleyError ? error : networkError(error));
          },
        );
      },
      forceNew: true,
    });
    this.socket.on('connect', () => {
      this.refusal = undefined;
      this.change('open');
      for (const [channelId, followers] of this.channels) this.join(channelId, followers);
      if (this.logs) this.subscribeLogs(this.logs.options).catch((error: unknown) => this.logs?.options.onError?.(error));
    });
    this.socket.on('disconnect', () => {
      if (this.current === 'closed') return;
      this.change('reconnecting');
      // The server closes the connection of a client that is too slow, or whose credential ends. socket.io leaves coming back to the client.
      if (!this.socket.active) this.connectLater();
    });
    this.socket.on('connect_error', (error) => {
      if (this.current === 'closed') return;
      // An active socket could not reach the server and tries again by itself.
      if (!this.socket.active) this.refused(refusalOf(error));
      else if (this.current === 'open') this.change('reconnecting');
    });
    this.socket.onAny((name: string, fields: Fields) => this.hear(name, fields));
  }

  get state(): LiveState {
    return this.current;
  }

  /** Why the server refused the connection; undefined while it is open. */
  get error(): ParleyError | undefined {
    return this.refusal;
  }

  /** Calls back at every change of the state. @returns stops it */
  onState(listener: StateListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Connects again after a refusal or `close`. Channels that were followed go on where they ended. */
  connect(): void {
    clearTimeout(this.retry);
    if (this.socket.active) return;
    this.change('connecting');
    this.socket.connect();
  }

  /** Hears a channel from a cursor on: every event in order and once, over cuts and restarts of the server. @throws InvalidError */
  follow(channelId: string, options: FollowOptions): Following {
    textOption('channelId', channelId, 'Pass the id of a channel, such as channelId of a conversation.');
    const followers = this.channels.get(channelId) ?? new Set();
    const follower = new Follower(options);
    // Others may be behind: what they get next is older than now.
    const furthest = furthestAhead(followers);
    if (options.after === undefined && furthest) follower.joinAt(furthest);
    this.channels.set(channelId, followers.add(follower));
    if (this.socket.connected) this.join(channelId, followers);
    return {
      get cursor() {
        return follower.cursor;
      },
      unfollow: () => {
        followers.delete(follower);
        if (followers.size > 0) return;
        this.channels.delete(channelId);
        if (this.socket.connected) this.socket.emit('leave', { channelId });
      },
    };
  }

  /**
   * Hears the server's log (administrators). @returns stops it
   *
   * @throws ParleyError when the server refuses it
   */
  async followLogs(options: LogOptions): Promise<() => void> {
    const own = { options };
    this.logs = own;
    if (this.socket.connected) await this.subscribeLogs(options);
    return () => {
      if (this.logs !== own) return;
      this.logs = undefined;
      if (this.socket.connected) this.socket.emit('unsubscribe_logs', {});
    };
  }

  /**
   * Sends an event and waits for its acknowledgement.
   *
   * @param limitMs how long the server may take
   * @throws ParleyError when it is refused, or the connection is cut
   */
  async request(name: string, payload: object, limitMs = RESPONSE_MS): Promise<Fields> {
    let response: Acknowledgement & Fields;
    try {
      response = (await this.socket.timeout(limitMs).emitWithAck(name, payload)) as Acknowledgement & Fields;
    } catch (error) {
      throw networkError(error);
    }
    if (response.ok) return response;
    throw errorOf(response.error, `The server refused ${name}.`);
  }

  /** Begins to say something in a channel. @throws ParleyError when the server refuses it */
  async speak(options: UtteranceOptions): Promise<Utterance> {
    const { utteranceId } = await this.request('audioStart', options);
    return new Utterance(String(utteranceId), (...request) => this.request(...request));
  }

  /** Hears the spoken replies to what this connection said. @returns stops it */
  onSpeech(listener: (event: SpeechEvent) => void): () => void {
    return listenToSpeech(this.socket, listener);
  }

  close(): void {
    clearTimeout(this.retry);
    this.change('closed');
    this.socket.close();
  }

  private change(state: LiveState): void {
    if (state === this.current) return;
    this.current = state;
    for (const listener of this.listeners) listener(state, this.refusal);
  }

  /** A wrong credential is wrong again, and the server counts it; other refusals pass. */
  private refused(error: ParleyError): void {
    this.refusal = error;
    if (error.status === 401 || error.status === 403 || error instanceof InvalidError) {
      this.change('closed');
      return;
    }
    this.change('reconnecting');
    this.connectLater();
  }

  private connectLater(): void {
    this.failures += 1;
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.socket.connect(), backoffMs(this.failures));
  }

  private join(channelId: string, followers: ReadonlySet<Follower>, attempt = 1): void {
    // The one that is furthest behind gets what it misses; the others skip what they have.
    const after = furthestBehind(followers)?.cursor;
    this.request('join', { channelId, ...(after !== undefined && { after }) }).then(
      ({ cursor, offset }) => {
        this.failures = 0;
        for (const follower of followers) follower.joined(cursor ?? offset);
      },
      (error: unknown) => {
        // A cut connection joins again when it is back.
        if (!this.socket.connected) return;
        const wait = retryDelayMs(error, attempt);
        if (wait === undefined) for (const follower of followers) follower.options.onError?.(error);
        else {
          const { id } = this.socket;
          setTimeout(() => {
            if (this.socket.id === id && this.channels.get(channelId) === followers) this.join(channelId, followers, attempt + 1);
          }, wait);
        }
      },
    );
  }

  private async subscribeLogs({ level, agentName }: LogOptions): Promise<void> {
    await this.request('subscribe_logs', {});
    await this.request('update_log_filters', { level: level ?? 'all', agentName: agentName ?? 'all' });
  }

  private hear(name: string, fields: Fields): void {
    if (name === 'log_stream') {
      this.logs?.options.onLine((fields as { payload: LogLine }).payload);
      return;
    }
    const channelId = fields?.['channelId'];
    if (typeof channelId !== 'string') return;
    const followers = this.channels.get(channelId);
    if (!followers) return;
    if (name === 'channel_left') {
      for (const follower of followers) follower.options.onError?.(accessLost(channelId));
      return;
    }
    if (name === 'gap') {
      const gap: Gap = { type: 'gap', from: Number(fields['from']), to: Number(fields['to']) };
      for (const follower of followers) follower.gap(gap);
      return;
    }
    const type = typeOfSocketEvent(name, fields);
    const event = type === undefined ? undefined : toChannelEvent(type, fields);
    if (event) for (const follower of followers) follower.hear(event);
  }
}

export interface LogOptions {
  /** Lowest level: `trace`, `debug`, `info`, `warn`, `error`. Default: all. */
  readonly level?: string;
  readonly agentName?: string;
  readonly onLine: (line: LogLine) => void;
  /** The server refuses the log after a new connection. */
  readonly onError?: (error: unknown) => void;
}

const RESPONSE_MS = 10_000;

/** HTTP statuses of what sockets refuse. */
const STATUSES: Readonly<Record<string, number>> = {
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  CHANNEL_NOT_FOUND: 404,
  SESSION_NOT_FOUND: 404,
  AGENT_NOT_FOUND: 404,
  TURN_IN_PROGRESS: 409,
  SESSION_EXPIRED: 410,
  RATE_LIMIT_EXCEEDED: 429,
  SERVER_STOPPING: 503,
  STORAGE_UNAVAILABLE: 503,
  VALIDATION_ERROR: 400,
};

function errorOf(error: Acknowledgement['error'], otherwise: string): ParleyError {
  const { code = 'REFUSED', message = otherwise, details = '' } = error ?? {};
  return errorFrom({ code, message, details, status: STATUSES[code] ?? 0 });
}

function refusalOf(error: Error & { data?: unknown }): ParleyError {
  const { data } = error as { data?: { error?: unknown; code?: unknown } };
  const body = typeof data?.error === 'object' ? data.error : data;
  return errorOf(body as Acknowledgement['error'], error.message);
}

function accessLost(channelId: string): ForbiddenError {
  const details = `The credential no longer reaches the channel ${channelId}, since its agents have changed.`;
  return new ForbiddenError({ code: 'FORBIDDEN', message: 'The channel can no longer be followed.', details, status: 403 });
}
