export { documentHashes } from './document-hashes.js';
export { placeOf } from './document-place.js';
export { DocumentReader } from './document-reader.js';
export { detectFormat } from './document-types.js';
export { descriptor, KnowledgeModule } from './knowledge.module.js';
export { KnowledgeService } from './knowledge.service.js';
export type { DocumentFormat, Loss, Passage, Piece } from './knowledge.types.js';
