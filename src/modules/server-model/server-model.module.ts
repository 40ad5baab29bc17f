import { Module } from '@nestjs/common';
import { defineModule } from '../../core/modules/index.js';
import { VaultModule } from '../../core/vault/index.js';
import { ModelsModule } from '../../providers/models/index.js';
import { ServerModelRow } from './entities/server-model.entity.js';
import { ServerModel1795824020000 } from './migrations/1795824020000-server-model.js';
import { SERVER_MODEL_AUDIT } from './server-model.audit.js';
import { ServerModelController } from './server-model.controller.js';
import { SERVER_MODEL_EVENTS } from './server-model.events.js';
import { ServerModelRepository } from './server-model.repository.js';
import { ServerModelService } from './server-model.service.js';

@Module({
  imports: [ModelsModule, VaultModule],
  controllers: [ServerModelController],
  providers: [ServerModelService, ServerModelRepository],
})
export class ServerModelModule {}

export const descriptor = defineModule({
  name: 'server-model',
  about: 'The model that an administrator chooses for the server.',
  module: ServerModelModule,
  entities: [ServerModelRow],
  migrations: [ServerModel1795824020000],
  events: SERVER_MODEL_EVENTS,
  audit: SERVER_MODEL_AUDIT,
  tags: [{ name: 'model', about: "The server's language model.", paths: [/^\/api\/server\/model/] }],
});
