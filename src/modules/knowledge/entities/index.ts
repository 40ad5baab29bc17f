import { DocumentPieceRow } from './document-piece.entity.js';
import { DocumentRow } from './document.entity.js';

export { DocumentPieceRow, DocumentRow };
export const KNOWLEDGE_ENTITIES = [DocumentRow, DocumentPieceRow];
