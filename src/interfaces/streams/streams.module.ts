import { Module } from '@nestjs/common';
import { defineModule } from '../../core/modules/index.js';
import { MessagingModule } from '../../modules/messaging/index.js';
import { SessionsModule } from '../../modules/sessions/index.js';
import { ChannelStreamsController } from './channel-streams.controller.js';
import { SessionStreamsController } from './session-streams.controller.js';

/** The journal of a channel or a session, and the replies to a message, as server-sent events. */
@Module({ imports: [MessagingModule, SessionsModule], controllers: [ChannelStreamsController, SessionStreamsController] })
export class StreamsModule {}

export const descriptor = defineModule({
  name: 'streams',
  about: 'Server-sent events: channels, sessions and the replies to a message.',
  module: StreamsModule,
});
