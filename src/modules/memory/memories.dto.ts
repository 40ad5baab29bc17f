import { ArrayMaxSize, ArrayMinSize, IsArray, IsNumber, ValidateBy } from 'class-validator';
import { IfPresent, IsJsonObject } from '../../core/http/index.js';
import type { MemoryRow } from './entities/index.js';
import type { UpdateMemory } from './memories.service.js';

const LONGEST_CONTENT = 1_000_000;
const LONGEST_VECTOR = 8192;

/** Text, or an object whose `text` (if it has one) is text. */
function IsContent(): PropertyDecorator {
  return ValidateBy({
    name: 'isContent',
    validator: {
      validate: (value: unknown) => isContent(value) && JSON.stringify(value).length <= LONGEST_CONTENT,
      defaultMessage: () => `$property must be text, or a JSON object whose text is text, of at most ${LONGEST_CONTENT} characters`,
    },
  });
}

function isContent(value: unknown): value is string | Record<string, unknown> {
  if (typeof value === 'string') return true;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { text } = value as { text?: unknown };
  return text === undefined || typeof text === 'string';
}

/** Body of `PATCH /api/memory/{agentId}/memories/{memoryId}`. Absent fields stay as they are. */
export class UpdateMemoryBody {
  /** Replaces the stored content. */
  @IfPresent()
  @IsContent()
  content?: string | Record<string, unknown>;

  /** Replaces the stored metadata, except for what says which message is recorded. */
  @IfPresent()
  @IsJsonObject()
  metadata?: Record<string, unknown>;

  /** A vector of the length that the configured embedding model makes. */
  @IfPresent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(LONGEST_VECTOR)
  @IsNumber({}, { each: true })
  embedding?: number[];
}

export function toUpdateMemory({ content, metadata, embedding }: UpdateMemoryBody): UpdateMemory {
  return { content: typeof content === 'string' ? { text: content } : content, metadata, embedding };
}

export function presentUpdate(memory: MemoryRow): Record<string, unknown> {
  return { id: memory.id, message: 'Memory updated successfully', memory: presentMemory(memory) };
}

function presentMemory(memory: MemoryRow): Record<string, unknown> {
  return {
    id: memory.id,
    type: memory.type,
    createdAt: memory.createdAt,
    content: memory.content,
    entityId: memory.entityId,
    agentId: memory.agentId,
    roomId: memory.roomId,
    worldId: memory.worldId,
    unique: memory.isUnique,
    metadata: memory.metadata,
  };
}
