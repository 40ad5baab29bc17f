import { Module } from '@nestjs/common';
import { defineModule } from '../../core/modules/index.js';
import { MessagingModule } from '../../modules/messaging/index.js';
import { SubmitController } from './submit.controller.js';

/** Messages on behalf of an agent, with the field names of the specification and of the original client. */
@Module({ imports: [MessagingModule], controllers: [SubmitController] })
export class SubmitModule {}

export const descriptor = defineModule({
  name: 'submit',
  about: 'Messages on behalf of an agent.',
  module: SubmitModule,
});
