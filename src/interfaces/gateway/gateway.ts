import { Inject } from '@nestjs/common';
import { WebSocketGateway, type OnGatewayConnection, type OnGatewayInit } from '@nestjs/websockets';
import type { Server, Socket } from 'socket.io';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { errorBody } from '../../core/errors/index.js';
import { callerAddress, canAccessAgent, toAppError, usersOf } from '../../core/http/index.js';
import { cursorBehind, Journal, offsetOf } from '../../core/journal/index.js';
import { Log } from '../../core/logging/index.js';
import { Tracer } from '../../core/telemetry/index.js';
import { OpenConnections, RateLimits } from '../../modules/access/index.js';
import { AgentsService } from '../../modules/agents/index.js';
import { ChannelMessagesService, ChannelsService, MessagesService, pendingReplies, presentMessage } from '../../modules/messaging/index.js';
import { SessionsService } from '../../modules/sessions/index.js';
import { LogStreams } from './log-streams.js';
import { dataOf, SocketAccess } from './socket-access.js';
import { SocketEvents, type Acknowledgement, type Handler } from './socket-events.js';
import { parseJoin, parseMessage, ROOM_JOINING, SEND_MESSAGE, parseSend, type SocketPayload } from './socket-messages.js';
import { Subscriptions } from './subscriptions.js';
import { VoiceEvents, type AuthorizedSender } from './voice-events.js';
import { GATEWAY_METRICS } from './gateway.metrics.js';

const WORLD_STATE_MESSAGES = 50;

/** The socket.io protocol. Clients join channels and send messages; all events of a channel come from the journal. */
@WebSocketGateway()
export class Gateway implements OnGatewayInit<Server>, OnGatewayConnection<Socket> {
  private readonly log = new Log('gateway');
  private readonly addressOf: ReturnType<typeof callerAddress>;

  constructor(
    private readonly access: SocketAccess,
    private readonly connections: OpenConnections,
    private readonly limits: RateLimits,
    private readonly agents: AgentsService,
    private readonly channels: ChannelsService,
    private readonly channelMessages: ChannelMessagesService,
    private readonly messages: MessagesService,
    private readonly sessions: SessionsService,
    private readonly subscriptions: Subscriptions,
    private readonly logStreams: LogStreams,
    private readonly voice: VoiceEvents,
    private readonly journal: Journal,
    private readonly tracer: Tracer,
    private readonly clock: Clock,
    @Inject(CONFIG) config: Config,
  ) {
    this.addressOf = callerAddress(config);
  }

  afterInit(server: Server): void {
    server.use((socket, next) => {
      this.access.authenticate(socket).then(
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
    GATEWAY_METRICS.openSockets.add(1);
    socket.once('disconnect', () => GATEWAY_METRICS.openSockets.add(-1));
    socket.once(
      'disconnect',
      this.connections.track(caller, () => socket.disconnect(true)),
    );
    const events = new SocketEvents(socket, caller, this.addressOf(socket.request), this.limits, this.log, this.tracer);
    const join: Handler = (payload) => this.join(socket, payload);
    const send: Handler = (payload) => this.send(socket, payload);
    events.on('message', (message) => {
      const { type, payload } = parseMessage(message);
      return type === ROOM_JOINING ? join(payload) : send(payload);
    });
    events.on(String(ROOM_JOINING), join);
    events.on(String(SEND_MESSAGE), send);
    events.on('join', join);
    events.on('leave', (payload) => this.leave(socket, payload));
    let state: Promise<unknown> = Promise.resolve();
    events.on('request-world-state', (payload) => {
      // One after another, as the client reads them: each may be as long as a page.
      const next = state.then(async () => {
        await this.subscriptions.hasRead(socket);
        return this.worldState(socket, payload);
      });
      state = next.catch(() => undefined);
      return next;
    });
    events.on('subscribe_logs', async () => {
      await this.access.checkAdministrator(socket);
      return this.logStreams.subscribe(socket);
    });
    events.on('unsubscribe_logs', () => this.logStreams.unsubscribe(socket));
    events.on('update_log_filters', (payload) => this.logStreams.filter(socket, payload));
    const admit = async (roomId: string, senderId: string | undefined, payload: SocketPayload): Promise<AuthorizedSender> => {
      await events.count();
      const { channelId } = await this.access.channelOf(socket, roomId, payload);
      const speaker = await this.access.authorizeSender(socket, senderId ?? dataOf(socket).entityId, channelId, payload);
      return { channelId, senderId: speaker, users: usersOf(caller), access: this.access.hold(socket, channelId) };
    };
    this.voice.register(socket, events, admit);
    socket.emit('authenticated', { entityId, timestamp: this.clock.now() });
    socket.emit('connection_established', { message: 'Connected to Parley', socketId: socket.id, offset: this.journal.tail });
  }

  private async join(socket: Socket, payload: SocketPayload): Promise<Acknowledgement> {
    const request = parseJoin(payload);
    const { channelId, sessionId } = await this.access.channelOf(socket, request.roomId, payload);
    const cursor = request.after ?? cursorBehind(await this.journal.present());
    const response = {
      message: `Joined channel ${channelId}`,
      channelId,
      roomId: request.roomId,
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(request.agentId ? { agentId: request.agentId } : {}),
      offset: offsetOf(cursor),
      cursor,
    };
    socket.emit('channel_joined', response);
    socket.emit('room_joined', response);
    await this.access.subscribe(socket, channelId, request.after);
    return response;
  }

  private async leave(socket: Socket, payload: SocketPayload): Promise<Acknowledgement> {
    const { roomId } = parseJoin(payload);
    const ofSession = (await this.sessions.find(roomId))?.channelId;
    // The channel of a session is told only to a client that has joined it.
    const channelId = ofSession !== undefined && this.subscriptions.isSubscribed(socket, ofSession) ? ofSession : roomId;
    this.subscriptions.leave(socket, channelId);
    const response = { channelId, roomId };
    socket.emit('channel_left', response);
    return response;
  }

  private async send(socket: Socket, payload: SocketPayload): Promise<Acknowledgement> {
    const request = parseSend(payload, dataOf(socket).entityId);
    await this.access.authorizeSender(socket, request.senderId, request.channelId, payload);
    const { message } = await this.channelMessages.post({
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
    const response = {
      clientMessageId: request.clientMessageId,
      messageId: message.id,
      status: 'received_by_server_and_processing',
      channelId: message.channelId,
      roomId: message.channelId,
      ...pendingReplies(message),
      offset: message.offset,
      seq: message.seq,
    };
    socket.emit('messageAck', response);
    return response;
  }

  private async worldState(socket: Socket, payload: SocketPayload): Promise<Acknowledgement> {
    const { roomId } = parseJoin(payload);
    const { caller } = dataOf(socket);
    const channel = await this.channels.require((await this.access.channelOf(socket, roomId, payload)).channelId);
    const { messages } = await this.messages.history(channel.id, { limit: WORLD_STATE_MESSAGES });
    const state = {
      agents: this.agents
        .list()
        .filter(({ id }) => canAccessAgent(caller, id) && (!caller.user || channel.participants.some(({ entityId }) => entityId === id)))
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
