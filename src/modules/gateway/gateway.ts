import { WebSocketGateway, type OnGatewayConnection, type OnGatewayInit } from '@nestjs/websockets';
import type { Server, Socket } from 'socket.io';
import { Clock } from '../../core/clock/index.js';
import { withRequestId } from '../../core/context/request-context.js';
import { AppError, errorBody } from '../../core/errors/index.js';
import { toAppError } from '../../core/http/index.js';
import { isUuid, newId } from '../../core/ids/index.js';
import { Journal } from '../../core/journal/index.js';
import { Log } from '../../core/logging/index.js';
import { AccessService } from '../access/index.js';
import { AgentsService } from '../agents/index.js';
import { ChannelMessagesService, ChannelsService, MessagesService, presentMessage } from '../messaging/index.js';
import { SessionsService } from '../sessions/index.js';
import { joinRequest, ROOM_JOINING, SEND_MESSAGE, sendRequest, type SocketPayload } from './socket-messages.js';
import { Subscriptions } from './subscriptions.js';

type Answer = Record<string, unknown>;
type Handler = (payload: SocketPayload) => Promise<Answer> | Answer;

interface SocketData {
  entityId: string;
  /** True when the client named its entity itself and may therefore only speak as that one. */
  named: boolean;
}

const WORLD_STATE_MESSAGES = 50;

/** Real-time clients: they say what they want to hear and speak through the same doors as everybody; all they hear is the journal. */
@WebSocketGateway()
export class Gateway implements OnGatewayInit<Server>, OnGatewayConnection<Socket> {
  private readonly log = new Log('gateway');

  constructor(
    private readonly access: AccessService,
    private readonly agents: AgentsService,
    private readonly channels: ChannelsService,
    private readonly doors: ChannelMessagesService,
    private readonly messages: MessagesService,
    private readonly sessions: SessionsService,
    private readonly subscriptions: Subscriptions,
    private readonly journal: Journal,
    private readonly clock: Clock,
  ) {}

  afterInit(server: Server): void {
    server.use((socket, next) => {
      const refusal = this.admit(socket);
      next(refusal && Object.assign(new Error(refusal.message), { data: errorBody(refusal) }));
    });
    this.subscriptions.broadcastOn(server);
  }

  handleConnection(socket: Socket): void {
    const { entityId } = dataOf(socket);
    const join: Handler = (payload) => this.join(socket, payload);
    const send: Handler = (payload) => this.send(socket, payload);
    const byType: Record<number, Handler> = { [ROOM_JOINING]: join, [SEND_MESSAGE]: send };
    this.on(socket, 'message', ({ type, payload }) => {
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
    this.on(socket, String(ROOM_JOINING), join);
    this.on(socket, String(SEND_MESSAGE), send);
    this.on(socket, 'join', join);
    this.on(socket, 'leave', (payload) => this.leave(socket, payload));
    this.on(socket, 'request-world-state', (payload) => this.worldState(socket, payload));
    socket.emit('authenticated', { entityId, timestamp: this.clock.now() });
    socket.emit('connection_established', { message: 'Connected to Parley', socketId: socket.id, offset: this.journal.tail });
  }

  private admit(socket: Socket): AppError | undefined {
    const auth = objectOf(socket.handshake.auth);
    const { headers } = socket.handshake;
    if (!this.access.allows({ apiKey: auth['apiKey'] ?? headers['x-api-key'], authorization: headers.authorization })) {
      return new AppError('UNAUTHORIZED', 'Invalid or missing API Key', 'Send the API key as auth.apiKey.');
    }
    const entityId = auth['entityId'];
    if (entityId !== undefined && entityId !== null && !isUuid(entityId)) {
      return new AppError('VALIDATION_ERROR', 'Valid entityId required', 'auth.entityId must be a UUID, or be left out.');
    }
    const data: SocketData = isUuid(entityId) ? { entityId: entityId.toLowerCase(), named: true } : { entityId: newId(), named: false };
    Object.assign(socket.data as object, data);
    return undefined;
  }

  private async join(socket: Socket, payload: SocketPayload): Promise<Answer> {
    const request = joinRequest(payload);
    const session = await this.sessions.find(request.roomId);
    const channelId = session?.channelId ?? request.roomId;
    const answer = {
      message: `Joined channel ${channelId}`,
      channelId,
      roomId: request.roomId,
      ...(session ? { sessionId: session.id } : {}),
      ...(request.agentId ? { agentId: request.agentId } : {}),
      offset: request.after ?? this.journal.tail,
    };
    socket.emit('channel_joined', answer);
    socket.emit('room_joined', answer);
    await this.subscriptions.join(socket, channelId, request.after);
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

  private async send(socket: Socket, payload: SocketPayload): Promise<Answer> {
    const { entityId, named } = dataOf(socket);
    const request = sendRequest(payload, entityId);
    if (named && request.senderId.toLowerCase() !== entityId) {
      throw new AppError('FORBIDDEN', 'senderId must be the entity that the connection was opened for', `That is ${entityId}.`);
    }
    // Who speaks in a channel wants to hear the answer, also when it never joined.
    if (!this.subscriptions.hears(socket, request.channelId)) await this.subscriptions.join(socket, request.channelId);
    const { message } = await this.doors.post({
      channelId: request.channelId,
      serverId: request.serverId,
      authorId: request.senderId,
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
      offset: message.offset,
      seq: message.seq,
    };
    socket.emit('messageAck', answer);
    return answer;
  }

  private async worldState(socket: Socket, payload: SocketPayload): Promise<Answer> {
    const { roomId } = joinRequest(payload);
    const channel = await this.channels.require((await this.sessions.find(roomId))?.channelId ?? roomId);
    const { messages } = await this.messages.history(channel.id, { limit: WORLD_STATE_MESSAGES });
    const state = {
      agents: this.agents.list().map(({ id, name, status }) => ({ id, name, status })),
      users: channel.participants.filter(({ kind }) => kind === 'user').map(({ entityId: id }) => ({ id })),
      channels: [{ id: channel.id, name: channel.name, type: channel.type, serverId: channel.serverId }],
      messages: messages.map(presentMessage),
      offset: this.journal.tail,
    };
    socket.emit('world-state', state);
    return state;
  }

  /** Registers a handler whose outcome the client hears in every case: as its acknowledgement, and refusals as `messageError`. */
  private on(socket: Socket, name: string, handle: Handler): void {
    socket.on(name, (...args: unknown[]) => {
      const last = args.at(-1);
      const acknowledge = typeof last === 'function' ? (last as (answer: Answer) => void) : undefined;
      void withRequestId(newId(), async () => {
        try {
          const answer = await handle(objectOf(args[0]));
          acknowledge?.({ ok: true, ...answer });
        } catch (error) {
          const failure = toAppError(error);
          if (failure.status >= 500) this.log.error(failure.message, failure.cause ?? failure, { event: name, code: failure.code });
          const body = errorBody(failure);
          socket.emit('messageError', { ...body, error: failure.message });
          acknowledge?.({ ok: false, error: body });
        }
      });
    });
  }
}

function dataOf(socket: Socket): SocketData {
  return socket.data as SocketData;
}

function objectOf(value: unknown): SocketPayload {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as SocketPayload) : {};
}
