import { Module } from '@nestjs/common';
import { defineModule } from '../../core/modules/index.js';
import { ProtocolsModule } from '../../modules/protocols/index.js';
import { ModelsModule } from '../../providers/models/index.js';
import { ANTHROPIC_ERRORS } from './anthropic.error-codes.js';
import { AnthropicMessagesController } from './messages.controller.js';

/** Anthropic's protocol. Its list of models is a form of OpenAI's, which has the same path. */
@Module({
  imports: [ModelsModule, ProtocolsModule],
  controllers: [AnthropicMessagesController],
})
export class AnthropicModule {}

export const descriptor = defineModule({
  name: 'anthropic',
  about: "Anthropic's protocol: messages and the tokens of requests.",
  module: AnthropicModule,
  errors: ANTHROPIC_ERRORS,
  tags: [{ name: 'anthropic', about: "Anthropic's protocol, with the agents as models.", paths: [/^\/v1\/messages(?=\/|$)/] }],
});
