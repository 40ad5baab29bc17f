import { ApiClient, type Body } from './api-client.js';
import { agentIdOf } from './agent-id.js';
import { Chat, type NewMessage } from './chat.js';
import { userIn } from './conversation.js';
import { optionalText } from './options.js';
import type { SessionPostedView, SessionResponse } from './wire.js';

type NewSession = Body<'POST /api/messaging/sessions'>;

export interface SessionOptions {
  /** Id or name of the agent. */
  readonly agent: string;
  /** The user, by any text that your app knows the user by. Only with a user token it may be left out. */
  readonly user?: string;
  readonly timeout?: NewSession['timeoutConfig'];
  readonly metadata?: NewSession['metadata'];
}

/** A session that exists. */
export interface SessionReference {
  readonly sessionId: string;
  /** For callers without another credential. */
  readonly token?: string;
}

/** A session: see `Parley.session`. */
export class Session extends Chat {
  /** Speaks for the session; absent when the server doesn't say it again. */
  readonly token: string | undefined;
  private known: SessionResponse;
  private knownAt = Date.now();

  constructor(api: ApiClient, session: SessionResponse, token = session.token) {
    super(api, session.channelId, session.agentId, session.userId);
    this.known = session;
    this.token = token;
  }

  get sessionId(): string {
    return this.known.sessionId;
  }

  /** What the server said last about the session. */
  get view(): SessionResponse {
    return this.known;
  }

  /** Time until the session ends unless it is used or renewed, ms; 0 when it is over. */
  get timeLeftMs(): number {
    return Math.max(0, this.known.timeRemaining - (Date.now() - this.knownAt));
  }

  /** Asks the server for the state of the session. @throws NotFoundError, GoneError when it is over */
  async refresh(): Promise<SessionResponse> {
    return this.learn(await this.api.call('GET /api/messaging/sessions/{sessionId}', this.at));
  }

  /** Lets the time begin anew. @throws ConflictError when the session has reached its longest duration; GoneError when it is over */
  async renew(): Promise<SessionResponse> {
    return this.learn(await this.api.call('POST /api/messaging/sessions/{sessionId}/renew', this.at));
  }

  /** Tells the server that the user is there, which renews a session that renews itself. @throws GoneError when it is over */
  async heartbeat(): Promise<SessionResponse> {
    return this.learn(await this.api.call('POST /api/messaging/sessions/{sessionId}/heartbeat', this.at));
  }

  /** Changes when the session ends. */
  async setTimeout(body: Body<'PATCH /api/messaging/sessions/{sessionId}/timeout'>): Promise<SessionResponse> {
    return this.learn(await this.api.call('PATCH /api/messaging/sessions/{sessionId}/timeout', { ...this.at, body }));
  }

  /** Ends the session. */
  async end(): Promise<void> {
    await this.api.call('DELETE /api/messaging/sessions/{sessionId}', this.at);
    this.learn({ ...this.known, status: 'ended', timeRemaining: 0 });
  }

  protected override async post(message: NewMessage, signal: AbortSignal | undefined): Promise<SessionPostedView> {
    const posted = await this.api.call('POST /api/messaging/sessions/{sessionId}/messages', { ...this.at, body: message, signal });
    const { sessionStatus } = posted;
    if (sessionStatus) {
      const timeRemaining = Date.parse(sessionStatus.expiresAt) - Date.parse(posted.createdAt);
      this.learn({ ...this.known, ...sessionStatus, timeRemaining });
    }
    return posted;
  }

  private get at(): { readonly path: { readonly sessionId: string } } {
    return { path: { sessionId: this.known.sessionId } };
  }

  private learn(session: SessionResponse): SessionResponse {
    this.known = session;
    this.knownAt = Date.now();
    return session;
  }
}

export async function openSession(api: ApiClient, options: SessionOptions): Promise<Session> {
  const { agent, timeout, metadata } = options;
  const user = userIn(options);
  const session = await api.call('POST /api/messaging/sessions', {
    body: {
      agentId: await agentIdOf(api, agent),
      ...(user !== undefined && { userId: user }),
      ...(timeout && { timeoutConfig: timeout }),
      ...(metadata && { metadata }),
    },
  });
  return new Session(await speakingFor(api, session.token), session);
}

export async function resumeSession(api: ApiClient, { sessionId, token }: SessionReference): Promise<Session> {
  optionalText('token', token, 'Leave it out when the client has a credential.');
  const own = await speakingFor(api, token);
  const session = await own.call('GET /api/messaging/sessions/{sessionId}', { path: { sessionId } });
  return new Session(own, session, token);
}

/** A caller without a credential speaks with the session's token. */
async function speakingFor(api: ApiClient, token: string | undefined): Promise<ApiClient> {
  const needsToken = token !== undefined && (await api.http.credential()) === undefined;
  return needsToken ? new ApiClient(api.http.withCredential(token)) : api;
}
