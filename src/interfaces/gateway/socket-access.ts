import { Inject, Injectable } from '@nestjs/common';
import type { Socket } from 'socket.io';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';
import { callerAddress, type Caller, type HeldAccess, type ScopeName } from '../../core/http/index.js';
import type { Cursor } from '../../core/journal/index.js';
import { isUuid, newId } from '../../core/ids/index.js';
import { hasAtMost } from '../../core/text/index.js';
import { AccessService, OpenConnections, RateLimits } from '../../modules/access/index.js';
import { AgentsService } from '../../modules/agents/index.js';
import { SessionsService } from '../../modules/sessions/index.js';
import { objectOf, type SocketPayload } from './socket-messages.js';
import { Subscriptions } from './subscriptions.js';

/** Data of a connection. */
interface SocketData {
  caller: Caller;
  entityId: string;
  /** True when the sender is fixed: the client has named its entity, or has sent a message. */
  named: boolean;
}

const READING = { scope: 'read', forLimited: false, inSession: true } as const;

// The data is in memory for the lifetime of the connection.
const MAX_AUTH_LENGTH = 10_000;

/** Authorises the client of a socket to connect, to subscribe to a channel, and to send messages. */
@Injectable()
export class SocketAccess {
  private readonly addressOf: ReturnType<typeof callerAddress>;

  constructor(
    private readonly access: AccessService,
    private readonly connections: OpenConnections,
    private readonly limits: RateLimits,
    private readonly agents: AgentsService,
    private readonly sessions: SessionsService,
    private readonly subscriptions: Subscriptions,
    @Inject(CONFIG) config: Config,
  ) {
    this.addressOf = callerAddress(config);
  }

  /** @throws AppError UNAUTHORIZED, VALIDATION_ERROR, or FORBIDDEN for a session or user token with an entity other than its user */
  async authenticate(socket: Socket): Promise<void> {
    const auth = objectOf(socket.handshake.auth);
    if (!hasAtMost(JSON.stringify(auth), MAX_AUTH_LENGTH)) {
      throw new AppError('VALIDATION_ERROR', `auth must have at most ${MAX_AUTH_LENGTH} characters`, 'Send only apiKey and entityId.');
    }
    const { headers } = socket.handshake;
    const apiKey = auth['apiKey'] ?? auth['token'] ?? headers['x-api-key'];
    const caller = await this.access.identify({ apiKey, authorization: headers.authorization });
    if (caller.refusal !== undefined) await this.limits.consume('credentials', caller, this.addressOf(socket.request));
    if (caller.scope === undefined || caller.session?.expiredAt !== undefined) {
      const details = caller.refusal ?? (caller.session ? 'The session of this token has expired.' : 'No credential was sent.');
      throw new AppError(
        'UNAUTHORIZED',
        'Invalid or missing API Key',
        `${details} Send an API key, a user token or a session token as auth.apiKey.`,
      );
    }
    const entityId = auth['entityId'] ?? undefined;
    if (entityId !== undefined && !isUuid(entityId)) {
      throw new AppError('VALIDATION_ERROR', 'Valid entityId required', 'auth.entityId must be a UUID or absent.');
    }
    const own = caller.actsFor;
    if (own !== undefined && entityId !== undefined && entityId.toLowerCase() !== own) {
      throw new AppError('FORBIDDEN', 'auth.entityId must be the user of the token', `That is ${own}.`);
    }
    const named = own ?? entityId?.toLowerCase();
    const data: SocketData = { caller, entityId: named ?? newId(), named: named !== undefined };
    Object.assign(socket.data as object, data);
  }

  /** Checks each event like an HTTP request: the credential may have ended since the handshake. @throws AppError UNAUTHORIZED, FORBIDDEN */
  private async check(socket: Socket, scope: ScopeName, payload: SocketPayload, params: Record<string, string>): Promise<void> {
    const { caller } = dataOf(socket);
    if (!this.access.isRequired) return;
    await this.assertValid(caller);
    await this.access.check(caller, { scope, forLimited: false, inSession: true, params, inputs: [payload] });
  }

  /** @throws AppError UNAUTHORIZED, FORBIDDEN */
  async checkAdministrator(socket: Socket): Promise<void> {
    const { caller } = dataOf(socket);
    if (!this.access.isRequired) return;
    await this.assertValid(caller);
    await this.access.check(caller, { scope: 'admin', forLimited: false, inSession: false, params: {}, inputs: [] });
  }

  private async assertValid(caller: Caller): Promise<void> {
    if (await this.access.isStillValid(caller)) return;
    throw new AppError('UNAUTHORIZED', 'The credential of this connection is no longer valid.', 'Connect again with a valid one.');
  }

  /** Resolves a room id to a channel: the channel of a session, or the channel itself. @throws AppError UNAUTHORIZED, FORBIDDEN */
  async channelOf(socket: Socket, roomId: string, payload: SocketPayload): Promise<{ channelId: string; sessionId?: string }> {
    const session = await this.sessions.find(roomId);
    await this.check(socket, 'read', payload, session ? { sessionId: session.id } : { channelId: roomId });
    return session ? { channelId: session.channelId, sessionId: session.id } : { channelId: roomId };
  }

  /** Determines the sender and checks its permission. @returns the sender's id @throws AppError FORBIDDEN, UNAUTHORIZED */
  async authorizeSender(socket: Socket, claimed: string, channelId: string, payload: SocketPayload): Promise<string> {
    const senderId = claimed.toLowerCase();
    this.assertSameSender(socket, senderId);
    if (this.agents.find(senderId)) {
      throw new AppError('FORBIDDEN', 'senderId must not be an agent', 'Post messages of agents with POST /api/messaging/submit.');
    }
    await this.check(socket, 'write', payload, { channelId });
    // Another event may have set the entity in the meantime.
    this.assertSameSender(socket, senderId);
    // The first sender is the only one of the connection.
    Object.assign(dataOf(socket), { entityId: senderId, named: true });
    // A sender receives the replies without joining.
    if (!this.subscriptions.isSubscribed(socket, channelId)) await this.subscribe(socket, channelId);
    return senderId;
  }

  /** @throws AppError FORBIDDEN when the connection has another sender */
  private assertSameSender(socket: Socket, senderId: string): void {
    const { entityId, named } = dataOf(socket);
    if (named && senderId !== entityId) {
      throw new AppError('FORBIDDEN', 'senderId must be the entity that the connection was opened for', `That is ${entityId}.`);
    }
  }

  /** Subscribes a socket to a channel that its caller may read. */
  async subscribe(socket: Socket, channelId: string, after?: Cursor): Promise<void> {
    const { caller } = dataOf(socket);
    await this.subscriptions.join(socket, channelId, { caller, access: this.hold(socket, channelId) }, after);
    try {
      // The caller may have lost its access just before the subscription.
      await this.access.check(caller, { ...READING, params: { channelId }, inputs: [] });
    } catch (error) {
      this.subscriptions.leave(socket, channelId);
      throw error;
    }
  }

  /** Holds the access of a socket's caller to a channel. */
  hold(socket: Socket, channelId: string): HeldAccess {
    return this.connections.hold(dataOf(socket).caller, { ...READING, params: { channelId } }, channelId);
  }
}

export function dataOf(socket: Socket): SocketData {
  return socket.data as SocketData;
}
