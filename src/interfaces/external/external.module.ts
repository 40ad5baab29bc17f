import { Module } from '@nestjs/common';
import { defineModule } from '../../core/modules/index.js';
import { MessagingModule } from '../../modules/messaging/index.js';
import { ExternalMessagesController } from './external.controller.js';

/** Messages of other platforms, over HTTP. */
@Module({ imports: [MessagingModule], controllers: [ExternalMessagesController] })
export class ExternalModule {}

export const descriptor = defineModule({
  name: 'external',
  about: 'Messages of other platforms, over HTTP.',
  module: ExternalModule,
});
