import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { CONFIG, type Config } from '../../core/config/index.js';
import type { HttpRequest, HttpResponse } from '../../core/http/index.js';
import { defineModule } from '../../core/modules/index.js';
import { AudioModule } from '../../modules/audio/index.js';
import { ProtocolsModule } from '../../modules/protocols/index.js';
import { refuseWrongBase } from './base-url.js';
import { OpenAiChatController } from './chat.controller.js';
import { OpenAiEmbeddingsController } from './embeddings.controller.js';
import { OpenAiConversationsController } from './conversations.controller.js';
import { ConversationItems } from './conversation-items.js';
import { OpenAiModelsController } from './models.controller.js';
import { OPENAI_ERRORS } from './openai.error-codes.js';
import { ResponseRequests } from './response-requests.js';
import { OpenAiResponsesController } from './responses.controller.js';
import { OpenAiSpeechController } from './speech.controller.js';
import { StoredResponses } from './stored-responses.js';
import { OpenAiTranscriptionsController } from './transcriptions.controller.js';

/** OpenAI's protocol. A wrong base URL is found behind all routes and the files of plugins, which are initialised before. */
@Module({
  imports: [AudioModule, ProtocolsModule],
  controllers: [
    OpenAiChatController,
    OpenAiModelsController,
    OpenAiEmbeddingsController,
    OpenAiSpeechController,
    OpenAiTranscriptionsController,
    OpenAiResponsesController,
    OpenAiConversationsController,
  ],
  providers: [ConversationItems, ResponseRequests, StoredResponses],
})
export class OpenAiModule implements OnModuleInit {
  constructor(
    private readonly adapter: HttpAdapterHost,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    if (!this.config.protocols.includes('openai') && !this.config.protocols.includes('anthropic')) return;
    this.adapter.httpAdapter.use((request: HttpRequest, response: HttpResponse, next: () => void) => {
      if (!refuseWrongBase(request, response)) next();
    });
  }
}

export const descriptor = defineModule({
  name: 'openai',
  about: "OpenAI's protocol: chat completions, responses, conversations, models, embeddings, speech and transcription.",
  module: OpenAiModule,
  errors: OPENAI_ERRORS,
  tags: [{ name: 'openai', about: "OpenAI's protocol, with the agents as models.", paths: [/^\/v1\//] }],
});
