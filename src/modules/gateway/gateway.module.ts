import { Module } from '@nestjs/common';
import { AccessModule } from '../access/index.js';
import { AgentsModule } from '../agents/index.js';
import { AudioModule } from '../audio/index.js';
import { LogsModule } from '../logs/index.js';
import { MessagingModule } from '../messaging/index.js';
import { SessionsModule } from '../sessions/index.js';
import { Gateway } from './gateway.js';
import { LogStreams } from './log-streams.js';
import { Subscriptions } from './subscriptions.js';
import { VoiceEvents } from './voice-events.js';
import { WebsocketController } from './websocket.controller.js';

@Module({
  imports: [AccessModule, AgentsModule, AudioModule, LogsModule, MessagingModule, SessionsModule],
  controllers: [WebsocketController],
  providers: [Gateway, Subscriptions, LogStreams, VoiceEvents],
})
export class GatewayModule {}
