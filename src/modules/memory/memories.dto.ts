import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsInt, IsNumber, IsString, Matches, Max, Min } from 'class-validator';
import {
  Check,
  encodeCursor,
  IfPresent,
  IsCount,
  IsFilledText,
  IsJsonObject,
  IsUuidText,
  pagedList,
  parsePosition,
  parseTime,
} from '../../core/http/index.js';
import { idForAgent } from '../../core/ids/index.js';
import { hasAtMost } from '../../core/text/index.js';
import type { MemoryRow } from './entities/index.js';
import type { MemoryHistory, MemoryList, UpdateMemory } from './memories.service.js';
import type { MemoryFilter, MemoryPaging, MemoryRecord } from './repositories/memory-pages.repository.js';

const MAX_CONTENT_LENGTH = 1_000_000;
const MAX_VECTOR_LENGTH = 8192;
const MAX_SEARCH_LENGTH = 1000;
const DEFAULT_PAGE_SIZE = 50;
// The limit for `all`, which keeps the response bounded.
const MAX_LIST_SIZE = 10_000;
const MAX_HISTORY_PAGE = 100;
const DEFAULT_HISTORY_PAGE = 20;
const MAX_VERSION = 2_147_483_647;

/** Text, or an object whose `text` (if it has one) is text. */
function IsContent(): PropertyDecorator {
  return Check(
    'isContent',
    { oneOf: [{ type: 'string' }, { type: 'object', properties: { text: { type: 'string' } }, additionalProperties: true }] },
    (value) => isContent(value) && hasAtMost(JSON.stringify(value), MAX_CONTENT_LENGTH),
    () => `$property must be text, or a JSON object whose field text is text, of at most ${MAX_CONTENT_LENGTH} characters`,
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

  /** Replaces the stored metadata, except for the reference to the recorded message. */
  @IfPresent()
  @IsJsonObject()
  metadata?: Record<string, unknown>;

  /** A vector of the configured embedding model's dimension. */
  @IfPresent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_VECTOR_LENGTH)
  @IsNumber({}, { each: true })
  embedding?: number[];
}

/** Body of `POST /api/memory/{agentId}/memories/{memoryId}/undo`. */
export class UndoMemoryBody {
  /** Number of the former version to restore. Defaults to the one before the present version. */
  @IfPresent()
  @IsInt()
  @Min(1)
  @Max(MAX_VERSION)
  version?: number;
}

/** Query of `GET /api/memory/{agentId}/memories/{memoryId}/history`. */
export class MemoryHistoryQuery {
  /** Page size. Defaults to 20. */
  @IfPresent()
  @IsCount(MAX_HISTORY_PAGE)
  limit?: string;

  /** Only versions below this number: the `nextCursor` of the previous page. */
  @IfPresent()
  @Matches(/^\d{1,9}$/, { message: '$property must be the number of a version' })
  before?: string;
}

export function toUpdateMemory({ content, metadata, embedding }: UpdateMemoryBody): UpdateMemory {
  return { content: typeof content === 'string' ? { text: content } : content, metadata, embedding };
}

/** Filter and paging, in the parameter names of the original service, of its documentation and of its client. */
export class ListMemoriesQuery {
  /** Type of the memories: `messages` (default), `facts`, `documents`, … */
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

  /** Author of the memories. */
  @IfPresent()
  @IsUuidText()
  entityId?: string;

  /** Text that the content contains. */
  @IfPresent()
  @IsFilledText(MAX_SEARCH_LENGTH)
  search?: string;

  /** Earliest creation time: epoch ms or an ISO 8601 instant. Alias: `start`. */
  @IfPresent()
  @IsString()
  from?: string;

  @IfPresent()
  @IsString()
  start?: string;

  /** Latest creation time: epoch ms or an ISO 8601 instant. Alias: `end`. */
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

  /** Newer than this: a time or a cursor; returns the adjacent page. */
  @IfPresent()
  @IsString()
  after?: string;

  /** Page size, 1 to 1000 (50 when absent), or `all` for 10,000; a page without a number ends early at 1 MiB. Alias: `count`. */
  @IfPresent()
  @Matches(/^(all|0*([1-9]\d{0,2}|1000))$/, { message: '$property must be a whole number from 1 to 1000, or all' })
  limit?: string;

  @IfPresent()
  @Matches(/^0*([1-9]\d{0,2}|1000)$/, { message: '$property must be a whole number from 1 to 1000' })
  count?: string;

  /** Number of memories to skip; prefer `before`. */
  @IfPresent()
  @Matches(/^\d{1,9}$/, { message: '$property must be a whole number' })
  offset?: string;

  /** Page number, from 1; prefer `before`. */
  @IfPresent()
  @Matches(/^0*[1-9]\d{0,6}$/, { message: '$property must be a whole number from 1' })
  page?: string;

  /** Adds the vector of each memory that has one. */
  @IfPresent()
  @IsIn(['true', 'false'])
  includeEmbedding?: string;

  /** Leaves out duplicates of earlier memories. */
  @IfPresent()
  @IsIn(['true', 'false'])
  unique?: string;
}

/** A memory of an agent. */
export class MemoryView {
  id!: string;
  /** `messages`, `facts`, `documents`, … */
  type!: string;
  /** Epoch ms. */
  createdAt!: number;
  /** An object; recall searches its `text`. */
  content!: Record<string, unknown>;
  /** The author. */
  entityId!: string;
  agentId!: string;
  roomId!: string;
  worldId!: string | null;
  unique!: boolean;
  metadata!: Record<string, unknown>;
  /** The unit vector, if requested and present. */
  embedding?: number[];
}

export class MemoriesView {
  /** Newest first. */
  memories!: MemoryView[];
  /** Whether more memories follow in the reading direction. */
  hasMore!: boolean;
  /** The `before` of the next page (its `after` when newer ones are read); null on the last. */
  nextCursor!: string | null;
}

export class UpdatedMemoryView extends MemoryView {
  message!: string;
  /** The memory after the update. */
  memory!: MemoryView;
}

/** A former version of a memory. */
export class MemoryVersionView {
  /** 1, 2, 3, … */
  version!: number;
  content!: Record<string, unknown>;
  metadata!: Record<string, unknown>;
  /** When the change came that replaced this version, epoch ms. */
  changedAt!: number;
  /** Author of that change: the id of a caller (`everybody`, `administrator`, `key:ID`, `user:ID`, …) or `plugin:NAME`. */
  changedBy!: string;
}

export class MemoryHistoryView {
  /** Number of the present version. */
  version!: number;
  /** Former versions, newest first; the newest 100 are kept. */
  versions!: MemoryVersionView[];
  hasMore!: boolean;
  /** The `before` of the next page; null on the last. */
  nextCursor!: string | null;
}

export class DeletedMemoryView {
  success!: boolean;
  message!: string;
}

export class DeletedMemoriesView extends DeletedMemoryView {
  /** Number of deleted memories. */
  deleted!: number;
}

/** @throws AppError VALIDATION_ERROR for an invalid time */
export function toFilter(agentId: string, query: ListMemoriesQuery): MemoryFilter {
  const { channelId } = query;
  return {
    agentId,
    type: query.tableName ?? query.type ?? 'messages',
    roomId: query.roomId?.toLowerCase() ?? (channelId === undefined ? undefined : idForAgent(agentId, channelId.toLowerCase())),
    entityId: query.entityId?.toLowerCase(),
    search: query.search,
    from: parseTime('from', query.from) ?? parseTime('start', query.start),
    to: parseTime('to', query.to) ?? parseTime('end', query.end),
    uniqueOnly: query.unique === 'true',
  };
}

/** @throws AppError VALIDATION_ERROR for an invalid cursor */
export function toPaging(query: ListMemoriesQuery, defaultLimit = DEFAULT_PAGE_SIZE): MemoryPaging {
  const given = query.limit ?? query.count;
  const limit = given === 'all' ? MAX_LIST_SIZE : Number(given ?? defaultLimit);
  return {
    limit,
    offset: query.page === undefined ? Number(query.offset ?? 0) : (Number(query.page) - 1) * limit,
    numbered: query.page !== undefined || query.offset !== undefined,
    before: parsePosition('before', query.before),
    after: parsePosition('after', query.after),
    withEmbedding: query.includeEmbedding === 'true',
  };
}

export function presentMemories({ parts, hasMore, boundary }: MemoryList): MemoriesView {
  return {
    memories: pagedList(parts, presentMemory),
    hasMore,
    nextCursor: hasMore && boundary ? encodeCursor(boundary) : null,
  };
}

export function toHistoryPaging({ before, limit }: MemoryHistoryQuery): { before?: number; limit: number } {
  return { limit: Number(limit ?? DEFAULT_HISTORY_PAGE), ...(before === undefined ? {} : { before: Number(before) }) };
}

export function presentHistory({ version, versions, hasMore }: MemoryHistory): MemoryHistoryView {
  const last = versions.at(-1);
  return {
    version,
    versions: versions.map(({ memoryId: _, vouched: _vouched, ...shown }) => shown),
    hasMore,
    nextCursor: hasMore && last ? String(last.version) : null,
  };
}

export function presentUpdate(memory: MemoryRow, message = 'Memory updated successfully'): UpdatedMemoryView {
  const view = presentMemory(memory);
  return { ...view, message, memory: view };
}

export function presentMemory(memory: MemoryRecord): MemoryView {
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
