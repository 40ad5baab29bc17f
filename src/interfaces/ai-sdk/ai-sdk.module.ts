import { Module } from '@nestjs/common';
import { defineModule } from '../../core/modules/index.js';
import { ProtocolsModule } from '../../modules/protocols/index.js';
import { UiChatController } from './ui-chat.controller.js';

@Module({ imports: [ProtocolsModule], controllers: [UiChatController] })
export class AiSdkModule {}

export const descriptor = defineModule({
  name: 'ai-sdk',
  about: "The AI SDK's UI message stream: what useChat speaks.",
  module: AiSdkModule,
  tags: [{ name: 'ai-sdk', about: 'Conversations with useChat of the AI SDK.', paths: [/^\/api\/agents\/\{agent\}\/chat/] }],
});
