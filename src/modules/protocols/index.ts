export { AgentModels, type AgentModel } from './agent-models.js';
export { EmbeddingsService } from './embeddings.service.js';
export { ForProtocol } from './for-protocol.js';
export { formOf, KnownFields } from './known-fields.js';
export { descriptor, ProtocolsModule } from './protocols.module.js';
