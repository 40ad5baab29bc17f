export { documentHashes } from './document-hashes.js';
export { descriptor, KnowledgeModule } from './knowledge.module.js';
export { KnowledgeService } from './knowledge.service.js';
export type { Passage } from './knowledge.types.js';
