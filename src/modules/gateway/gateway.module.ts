import { Module } from '@nestjs/common';
import { AccessModule } from '../access/index.js';
import { AgentsModule } from '../agents/index.js';
import { MessagingModule } from '../messaging/index.js';
import { SessionsModule } from '../sessions/index.js';
import { Gateway } from './gateway.js';
import { Subscriptions } from './subscriptions.js';

@Module({ imports: [AccessModule, AgentsModule, MessagingModule, SessionsModule], providers: [Gateway, Subscriptions] })
export class GatewayModule {}
