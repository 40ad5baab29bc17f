import { EntityRow } from './entity.entity.js';
import { MemoryEmbeddingRow } from './memory-embedding.entity.js';
import { MemoryRow } from './memory.entity.js';
import { ParticipantRow } from './participant.entity.js';
import { RoomRow } from './room.entity.js';
import { WorldRow } from './world.entity.js';

export { EntityRow, MemoryRow, RoomRow, WorldRow };
export const MEMORY_ENTITIES = [WorldRow, RoomRow, EntityRow, ParticipantRow, MemoryRow, MemoryEmbeddingRow];
