import { Inject } from '@nestjs/common';
import { WebSocketGateway, type OnGatewayConnection, type OnGatewayInit } from '@nestjs/websockets';
import type { Server, Socket } from 'socket.io';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AppError, errorBody } from '../../core/errors/index.js';
import { callerAddress, mayReach, toAppError, usersOf, type Caller, type ScopeName } from '../../core/http/index.js';
import { isUuid, newId } from '../../core/ids/index.js';
import { Journal } from '../../core/journal/index.js';
import { Log } from '../../core/logging/index.js';
import { AccessService, OpenConnections, RateLimits } from '../access/index.js';
import { AgentsService } from '../agents/index.js';
import { ChannelMessagesService, ChannelsService, MessagesService, owedReplies, presentMessage } from '../messaging/index.js';
import { SessionsService } from '../sessions/index.js';
import { LogStreams } from './log-streams.js';
import { SocketEvents, type Answer, type Handler } from './socket-events.js';
import { joinRequest, objectOf, ROOM_JOINING, SEND_MESSAGE, sendRequest, type SocketPayload } from './socket-messages.js';
import { Subscriptions } from './subscriptions.js';
import { VoiceEvents, type Speaker } from './voice-events.js';

interface SocketData {
  caller: Caller;
  entityId: string;
  /** True when it is settled who speaks here: the client named its entity, or has spoken. */
  named: boolean;
}

const WORLD_STATE_MESSAGES = 50;
// It is kept as long as the connection lives.
const LARGEST_AUTH = 10_000;

/** Real-time clients: they say what they want to hear and speak through the same doors as everybody; all they hear is the journal. */
@WebSocketGateway()
export class Gateway implements OnGatewayInit<Server>, OnGatewayConnection<Socket> {
  private readonly log = new Log('gateway');
  private readonly addressOf: ReturnType<typeof callerAddress>;

  constructor(
    private readonly access: AccessService,
    private readonly connections: OpenConnections,
    private readonly limits: RateLimits,
    private readonly agents: AgentsService,
    private readonly channels: ChannelsService,
    private readonly doors: ChannelMessagesService,
    private readonly messages: MessagesService,
    private readonly sessions: SessionsService,
    private readonly subscriptions: Subscriptions,
    private readonly logStreams: LogStreams,
    private readonly voice: VoiceEvents,
    private readonly journal: Journal,
    private readonly clock: Clock,
    @Inject(CONFIG) config: Config,
  ) {
    this.addressOf = callerAddress(config);
  }

  afterInit(server: Server): void {
    server.use((socket, next) => {
      this.admit(socket).then(
        () => next(),
        (error: unknown) => {
          const refusal = toAppError(error);
          next(Object.assign(new Error(refusal.message), { data: errorBody(refusal) }));
        },
      );
    });
    this.subscriptions.broadcastOn(server);
  }

  handleConnection(socket: Socket): void {
    const { entityId, caller } = dataOf(socket);
    socket.once(
      'disconnect',
      this.connections.hold(caller, () => socket.disconnect(true)),
    );
    this.subscriptions.guard(socket, caller);
    const events = new SocketEvents(socket, caller, this.addressOf(socket.request), this.limits, this.log);
    const join: Handler = (payload) => this.join(socket, payload);
    const send: Handler = (payload) => this.send(socket, payload);
    const byType: Record<number, Handler> = { [ROOM_JOINING]: join, [SEND_MESSAGE]: send };
    events.on('message', ({ type, payload }) => {
      const handler = typeof type === 'number' ? byType[type] : undefined;
      if (!handler) {
        throw new AppError(
          'VALIDATION_ERROR',
          'A "message" event needs type 1 (join) or 2 (send) and a payload.',
          'Send { type: 1, payload: { channelId } }.',
        );
      }
      return handler(objectOf(payload));
    });
    events.on(String(ROOM_JOINING), join);
    events.on(String(SEND_MESSAGE), send);
    events.on('join', join);
    events.on('leave', (payload) => this.leave(socket, payload));
    events.on('request-world-state', (payload) => this.worldState(socket, payload));
    events.on('subscribe_logs', async () => {
      await this.checkAdministrator(socket);
      return this.logStreams.subscribe(socket);
    });
    events.on('unsubscribe_logs', () => this.logStreams.unsubscribe(socket));
    events.on('update_log_filters', (payload) => this.logStreams.filter(socket, payload));
    const admit = async (roomId: string, senderId: string | undefined, payload: SocketPayload): Promise<Speaker> => {
      await events.count();
      const { channelId } = await this.channelOf(socket, roomId, payload);
      const speaker = await this.speaker(socket, senderId ?? dataOf(socket).entityId, channelId, payload);
      return { channelId, senderId: speaker, users: usersOf(caller) };
    };
    this.voice.of(socket, events, admit);
    socket.emit('authenticated', { entityId, timestamp: this.clock.now() });
    socket.emit('connection_established', { message: 'Connected to Parley', socketId: socket.id, offset: this.journal.tail });
  }

  /** @throws AppError UNAUTHORIZED, VALIDATION_ERROR, FORBIDDEN for the token of a session or a user with another entity than its user */
  private async admit(socket: Socket): Promise<void> {
    const auth = objectOf(socket.handshake.auth);
    if (JSON.stringify(auth).length > LARGEST_AUTH) {
      throw new AppError('VALIDATION_ERROR', `auth must have at most ${LARGEST_AUTH} characters`, 'Send apiKey and entityId alone.');
    }
    const { headers } = socket.handshake;
    const apiKey = auth['apiKey'] ?? auth['token'] ?? headers['x-api-key'];
    const caller = await this.access.identify({ apiKey, authorization: headers.authorization });
    if (caller.refusal !== undefined) await this.limits.take('credentials', caller, this.addressOf(socket.request));
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
      throw new AppError('VALIDATION_ERROR', 'Valid entityId required', 'auth.entityId must be a UUID, or be left out.');
    }
    const own = caller.session?.userId ?? caller.user?.id;
    if (own !== undefined && entityId !== undefined && entityId.toLowerCase() !== own) {
      throw new AppError('FORBIDDEN', 'auth.entityId must be the user of the token', `That is ${own}.`);
    }
    const named = own ?? entityId?.toLowerCase();
    const data: SocketData = { caller, entityId: named ?? newId(), named: named !== undefined };
    Object.assign(socket.data as object, data);
  }

  /** As over HTTP, for each event: a socket is let in once, and its key may have ended since. @throws AppError UNAUTHORIZED, FORBIDDEN */
  private async check(socket: Socket, scope: ScopeName, payload: SocketPayload, params: Record<string, string>): Promise<void> {
    const { caller } = dataOf(socket);
    if (!this.access.required) return;
    if (!(await this.access.stillValid(caller))) {
      throw new AppError('UNAUTHORIZED', 'The credential of this connection is no longer valid.', 'Connect again with a valid one.');
    }
    await this.access.check(caller, { scope, forLimited: false, inSession: true, params, named: [payload] });
  }

  /** @throws AppError UNAUTHORIZED, FORBIDDEN */
  private async checkAdministrator(socket: Socket): Promise<void> {
    if (!this.access.required) return;
    await this.access.check(dataOf(socket).caller, { scope: 'admin', forLimited: false, inSession: false, params: {}, named: [] });
  }

  /** The channel that a room stands for: a session's, or itself. Lets only those to it who may go there. */
  private async channelOf(socket: Socket, roomId: string, payload: SocketPayload): Promise<{ channelId: string; sessionId?: string }> {
    const session = await this.sessions.find(roomId);
    await this.check(socket, 'read', payload, session ? { sessionId: session.id } : { channelId: roomId });
    return session ? { channelId: session.channelId, sessionId: session.id } : { channelId: roomId };
  }

  private async join(socket: Socket, payload: SocketPayload): Promise<Answer> {
    const request = joinRequest(payload);
    const { channelId, sessionId } = await this.channelOf(socket, request.roomId, payload);
    const answer = {
      message: `Joined channel ${channelId}`,
      channelId,
      roomId: request.roomId,
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(request.agentId ? { agentId: request.agentId } : {}),
      offset: request.after ?? this.journal.tail,
    };
    socket.emit('channel_joined', answer);
    socket.emit('room_joined', answer);
    await this.listen(socket, channelId, request.after);
    return answer;
  }

  private async leave(socket: Socket, payload: SocketPayload): Promise<Answer> {
    const { roomId } = joinRequest(payload);
    const channelId = (await this.sessions.find(roomId))?.channelId ?? roomId;
    this.subscriptions.leave(socket, channelId);
    const answer = { channelId, roomId };
    socket.emit('channel_left', answer);
    return answer;
  }

  /** Settles who speaks, and that they may speak there. @returns the speaker's id. @throws AppError FORBIDDEN, UNAUTHORIZED */
  private async speaker(socket: Socket, claimed: string, channelId: string, payload: SocketPayload): Promise<string> {
    const senderId = claimed.toLowerCase();
    this.refuseOther(socket, senderId);
    if (this.agents.find(senderId)) {
      throw new AppError('FORBIDDEN', 'senderId must not be an agent', 'What an agent says is posted with POST /api/messaging/submit.');
    }
    await this.check(socket, 'write', payload, { channelId });
    // It may have spoken as somebody else in the meantime.
    this.refuseOther(socket, senderId);
    // Whoever has spoken stays who it is.
    Object.assign(dataOf(socket), { entityId: senderId, named: true });
    // Who speaks in a channel wants to hear the answer, also when it never joined.
    if (!this.subscriptions.hears(socket, channelId)) await this.listen(socket, channelId);
    return senderId;
  }

  /** @throws AppError FORBIDDEN when it is settled that somebody else speaks on this connection */
  private refuseOther(socket: Socket, senderId: string): void {
    const { entityId, named } = dataOf(socket);
    if (named && senderId !== entityId) {
      throw new AppError('FORBIDDEN', 'senderId must be the entity that the connection was opened for', `That is ${entityId}.`);
    }
  }

  /** Lets a socket hear a channel that it was found it may hear. */
  private async listen(socket: Socket, channelId: string, after?: number): Promise<void> {
    await this.subscriptions.join(socket, channelId, after);
    const { caller } = dataOf(socket);
    if (!caller.agents) return;
    try {
      // Another agent may have come into the channel just before it was joined.
      await this.access.check(caller, { scope: 'read', forLimited: false, inSession: true, params: { channelId }, named: [] });
    } catch (error) {
      this.subscriptions.leave(socket, channelId);
      throw error;
    }
  }

  private async send(socket: Socket, payload: SocketPayload): Promise<Answer> {
    const request = sendRequest(payload, dataOf(socket).entityId);
    await this.speaker(socket, request.senderId, request.channelId, payload);
    const { message } = await this.doors.post({
      channelId: request.channelId,
      serverId: request.serverId,
      authorId: request.senderId,
      users: usersOf(dataOf(socket).caller),
      authorKind: 'user',
      authorName: request.senderName,
      content: request.text,
      rawMessage: request.rawMessage,
      sourceType: request.source,
      sourceId: request.clientMessageId,
      clientMessageId: request.clientMessageId,
      metadata: { ...request.metadata, ...(request.senderName === null ? {} : { user_display_name: request.senderName }) },
    });
    const answer = {
      clientMessageId: request.clientMessageId,
      messageId: message.id,
      status: 'received_by_server_and_processing',
      channelId: message.channelId,
      roomId: message.channelId,
      ...owedReplies(message),
      offset: message.offset,
      seq: message.seq,
    };
    socket.emit('messageAck', answer);
    return answer;
  }

  private async worldState(socket: Socket, payload: SocketPayload): Promise<Answer> {
    const { roomId } = joinRequest(payload);
    const { caller } = dataOf(socket);
    const channel = await this.channels.require((await this.channelOf(socket, roomId, payload)).channelId);
    const { messages } = await this.messages.history(channel.id, { limit: WORLD_STATE_MESSAGES });
    const state = {
      agents: this.agents
        .list()
        .filter(({ id }) => mayReach(caller, id) && (!caller.user || channel.participants.some(({ entityId }) => entityId === id)))
        .map(({ id, name, status }) => ({ id, name, status })),
      users: channel.participants.filter(({ kind }) => kind === 'user').map(({ entityId: id }) => ({ id })),
      channels: [{ id: channel.id, name: channel.name, type: channel.type, serverId: channel.serverId }],
      messages: messages.map(presentMessage),
      offset: this.journal.tail,
    };
    socket.emit('world-state', state);
    return state;
  }
}

function dataOf(socket: Socket): SocketData {
  return socket.data as SocketData;
}
