import { Module } from '@nestjs/common';
import { AccessModule } from '../../modules/access/index.js';
import { AgentsModule } from '../../modules/agents/index.js';
import { AudioModule } from '../../modules/audio/index.js';
import { LogsModule } from '../../modules/logs/index.js';
import { MessagingModule } from '../../modules/messaging/index.js';
import { SessionsModule } from '../../modules/sessions/index.js';
import { Gateway } from './gateway.js';
import { LogStreams } from './log-streams.js';
import { SocketAccess } from './socket-access.js';
import { Subscriptions } from './subscriptions.js';
import { VoiceEvents } from './voice-events.js';
import { WebsocketController } from './websocket.controller.js';
import { defineModule } from '../../core/modules/index.js';
import { GATEWAY_SETTINGS } from './gateway.settings.js';
import { GATEWAY_METRICS } from './gateway.metrics.js';

@Module({
  imports: [AccessModule, AgentsModule, AudioModule, LogsModule, MessagingModule, SessionsModule],
  controllers: [WebsocketController],
  providers: [Gateway, SocketAccess, Subscriptions, LogStreams, VoiceEvents],
})
export class GatewayModule {}

export const descriptor = defineModule({
  name: 'gateway',
  about: 'Real-time events over socket.io.',
  module: GatewayModule,
  settings: GATEWAY_SETTINGS,
  metrics: GATEWAY_METRICS,
  tags: [{ name: 'websocket', about: 'Real-time communication.', paths: [/^\/websocket/] }],
});
