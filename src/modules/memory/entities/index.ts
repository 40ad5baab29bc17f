import { ConversationSummaryRow } from './conversation-summary.entity.js';
import { EmbeddingClaimRow } from './embedding-claim.entity.js';
import { EntityRow } from './entity.entity.js';
import { MemoryVectorRow } from './memory-vector.entity.js';
import { MemorySourceRow } from './memory-source.entity.js';
import { MemoryRow } from './memory.entity.js';
import { MemoryVersionRow } from './memory-version.entity.js';
import { ParticipantRow } from './participant.entity.js';
import { RoomRow } from './room.entity.js';
import { WorldRow } from './world.entity.js';

export { ConversationSummaryRow, EntityRow, MemoryRow, MemorySourceRow, MemoryVersionRow, RoomRow, WorldRow };
export const MEMORY_ENTITIES = [
  WorldRow,
  RoomRow,
  EntityRow,
  ParticipantRow,
  MemoryRow,
  MemorySourceRow,
  MemoryVersionRow,
  MemoryVectorRow,
  EmbeddingClaimRow,
  ConversationSummaryRow,
];
