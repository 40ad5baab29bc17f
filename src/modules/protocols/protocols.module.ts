import { Module } from '@nestjs/common';
import { defineModule } from '../../core/modules/index.js';
import { ModelsModule } from '../../providers/models/index.js';
import { AgentsModule } from '../agents/index.js';
import { AgentModels } from './agent-models.js';
import { EmbeddingsService } from './embeddings.service.js';
import { PROTOCOLS_ERRORS } from './protocols.error-codes.js';
import { PROTOCOLS_SETTINGS } from './protocols.settings.js';

@Module({ imports: [AgentsModule, ModelsModule], providers: [AgentModels, EmbeddingsService], exports: [AgentModels, EmbeddingsService] })
export class ProtocolsModule {}

export const descriptor = defineModule({
  name: 'protocols',
  about: 'What interfaces for protocols of others share: which are on, and agents as models.',
  module: ProtocolsModule,
  settings: PROTOCOLS_SETTINGS,
  errors: PROTOCOLS_ERRORS,
});
