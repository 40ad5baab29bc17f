import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsNumber, IsString, Matches } from 'class-validator';
import { Checked, cursorText, IfPresent, IsFilledText, IsJsonObject, IsUuidText, positionOf, timeOf } from '../../core/http/index.js';
import { idForAgent } from '../../core/ids/index.js';
import type { MemoryRow } from './entities/index.js';
import type { MemoryList, UpdateMemory } from './memories.service.js';
import type { MemoryFilter, MemoryPaging, ShownMemory } from './repositories/memory-pages.repository.js';

const LONGEST_CONTENT = 1_000_000;
const LONGEST_VECTOR = 8192;
const LONGEST_SEARCH = 1000;
const DEFAULT_PAGE = 50;
// What `all` means: an answer that is still bounded.
const LARGEST_LIST = 10_000;

/** Text, or an object whose `text` (if it has one) is text. */
function IsContent(): PropertyDecorator {
  return Checked(
    'isContent',
    { oneOf: [{ type: 'string' }, { type: 'object', properties: { text: { type: 'string' } }, additionalProperties: true }] },
    (value) => isContent(value) && JSON.stringify(value).length <= LONGEST_CONTENT,
    () => `$property must be text, or a JSON object whose text is text, of at most ${LONGEST_CONTENT} characters`,
  );
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

/** Which memories, in the words of the original service, of its published text and of its client. */
export class ListMemoriesQuery {
  /** Kind of memories: `messages` (default), `facts`, `documents`, … */
  @IfPresent()
  @IsFilledText(64)
  tableName?: string;

  /** Another name for `tableName`. */
  @IfPresent()
  @IsFilledText(64)
  type?: string;

  @IfPresent()
  @IsUuidText()
  roomId?: string;

  /** The agent's room of this channel. */
  @IfPresent()
  @IsUuidText()
  channelId?: string;

  /** Whose words. */
  @IfPresent()
  @IsUuidText()
  entityId?: string;

  /** Text that the content has in it. */
  @IfPresent()
  @IsFilledText(LONGEST_SEARCH)
  search?: string;

  /** Not older than this: epoch ms or an ISO 8601 instant. `start` is read too. */
  @IfPresent()
  @IsString()
  from?: string;

  @IfPresent()
  @IsString()
  start?: string;

  /** Not newer than this: epoch ms or an ISO 8601 instant. `end` is read too. */
  @IfPresent()
  @IsString()
  to?: string;

  @IfPresent()
  @IsString()
  end?: string;

  /** Older than this: a time, or `nextCursor` of an earlier page. */
  @IfPresent()
  @IsString()
  before?: string;

  /** Newer than this: a time or a cursor; the page next to it is given. */
  @IfPresent()
  @IsString()
  after?: string;

  /** Memories in a page, 1 to 1000 (50 when absent), or `all` for 10,000. `count` is read too. */
  @IfPresent()
  @Matches(/^(all|0*([1-9]\d{0,2}|1000))$/, { message: '$property must be a whole number from 1 to 1000, or all' })
  limit?: string;

  @IfPresent()
  @Matches(/^0*([1-9]\d{0,2}|1000)$/, { message: '$property must be a whole number from 1 to 1000' })
  count?: string;

  /** How many to pass over; prefer `before`. */
  @IfPresent()
  @Matches(/^\d{1,9}$/, { message: '$property must be a whole number' })
  offset?: string;

  /** Number of the page, from 1; prefer `before`. */
  @IfPresent()
  @Matches(/^0*[1-9]\d{0,6}$/, { message: '$property must be a whole number from 1' })
  page?: string;

  /** Adds the vector of each memory that has one. */
  @IfPresent()
  @IsIn(['true', 'false'])
  includeEmbedding?: string;

  /** Leaves out what repeats something remembered before. */
  @IfPresent()
  @IsIn(['true', 'false'])
  unique?: string;
}

/** A memory of an agent. */
export class MemoryView {
  id!: string;
  /** Kind: `messages`, `facts`, `documents`, … */
  type!: string;
  /** Epoch ms. */
  createdAt!: number;
  /** An object; its `text` is what recall goes by. */
  content!: Record<string, unknown>;
  /** Whose words these are. */
  entityId!: string;
  agentId!: string;
  roomId!: string;
  worldId!: string | null;
  unique!: boolean;
  metadata!: Record<string, unknown>;
  /** The vector, of length 1; only where it was asked for and there is one. */
  embedding?: number[];
}

export class MemoriesView {
  /** Newest first. */
  memories!: MemoryView[];
  /** Whether there are more in the direction of reading. */
  hasMore!: boolean;
  /** The `before` of the next page (its `after` when newer ones are read); null on the last. */
  nextCursor!: string | null;
}

export class UpdatedMemoryView extends MemoryView {
  message!: string;
  /** The memory as it is now. */
  memory!: MemoryView;
}

export class DeletedMemoryView {
  success!: boolean;
  message!: string;
}

export class DeletedMemoriesView extends DeletedMemoryView {
  /** How many memories there were. */
  deleted!: number;
}

/** @throws AppError VALIDATION_ERROR for a time that is none */
export function toFilter(agentId: string, query: ListMemoriesQuery): MemoryFilter {
  const { channelId } = query;
  return {
    agentId,
    type: query.tableName ?? query.type ?? 'messages',
    roomId: query.roomId?.toLowerCase() ?? (channelId === undefined ? undefined : idForAgent(agentId, channelId.toLowerCase())),
    entityId: query.entityId?.toLowerCase(),
    search: query.search,
    from: timeOf('from', query.from) ?? timeOf('start', query.start),
    to: timeOf('to', query.to) ?? timeOf('end', query.end),
    uniqueOnly: query.unique === 'true',
  };
}

/** @throws AppError VALIDATION_ERROR for a cursor that is none */
export function toPaging(query: ListMemoriesQuery, usual = DEFAULT_PAGE): MemoryPaging {
  const given = query.limit ?? query.count;
  const limit = given === 'all' ? LARGEST_LIST : Number(given ?? usual);
  return {
    limit,
    offset: query.page === undefined ? Number(query.offset ?? 0) : (Number(query.page) - 1) * limit,
    before: positionOf('before', query.before),
    after: positionOf('after', query.after),
    withEmbedding: query.includeEmbedding === 'true',
  };
}

export function presentMemories({ memories, hasMore, forward }: MemoryList): MemoriesView {
  const edge = forward ? memories[0] : memories.at(-1);
  return {
    memories: memories.map(presentMemory),
    hasMore,
    nextCursor: hasMore && edge ? cursorText({ at: edge.createdAt, id: edge.id }) : null,
  };
}

export function presentUpdate(memory: MemoryRow): UpdatedMemoryView {
  const shown = presentMemory(memory);
  return { ...shown, message: 'Memory updated successfully', memory: shown };
}

export function presentMemory(memory: ShownMemory): MemoryView {
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
    ...(memory.embedding ? { embedding: [...memory.embedding] } : {}),
  };
}
