export { AgentModels, type AgentModel } from './agent-models.js';
export { ProtocolConversations } from './conversations.js';
export { EmbeddingsService } from './embeddings.service.js';
export type { Exchange } from './exchange.js';
export { repetitionOf, setExchangeHeaders } from './exchange-http.js';
export { ForProtocol } from './for-protocol.js';
export { formOf, KnownFields } from './known-fields.js';
export { CONVERSATION_BYTES } from './protocol-request.js';
export { IsNeutral } from './neutral-field.js';
export type { ProtocolMessage, ProtocolRequest, Repetition, SentFile } from './protocol-request.js';
export { ProtocolResponses, type FinalResponse, type ResponseWriter } from './protocol-responses.js';
export { ProtocolTurns } from './protocol-turns.js';
export { descriptor, ProtocolsModule } from './protocols.module.js';
export { UnstoredConversations } from './unstored-conversations.js';
export type { PartEvent } from './response-part.js';
export { StoredExchanges, type StoredExchange } from './stored-exchanges.js';
export { agentsIn, CallerChannels } from './caller-channels.js';
export {
  dataUrlAt,
  distinctTools,
  filledTextAt,
  inputOf,
  listAt,
  objectAt,
  onlyFields,
  refuseField,
  schemaAt,
  textAt,
  toolNameAt,
} from './sent-fields.js';
