import { IsOptional, IsString, ValidateIf } from 'class-validator';
import type { Page } from '../../core/database/index.js';
import { encodeCursor, IfPresent, IsCount, IsFilledText, IsJsonObject, IsUuidText, MaxCharacters } from '../../core/http/index.js';
import type { WorldRow } from './entities/index.js';
import { asObject } from './memory-json.js';
import type { CreateWorld } from './worlds.service.js';

const MAX_NAME_LENGTH = 255;
export const MAX_PAGE_SIZE = 1000;

/** Body of `POST /api/agents/{agentId}/worlds`. */
export class CreateWorldBody {
  /** Required unless `worldId` names an existing world. */
  @ValidateIf((body: CreateWorldBody) => body.name !== undefined || body.worldId === undefined)
  @IsFilledText(MAX_NAME_LENGTH)
  name?: string;

  @IsOptional()
  @IsString()
  @MaxCharacters(MAX_NAME_LENGTH)
  sourceType?: string | null;

  @IsOptional()
  @IsString()
  @MaxCharacters(MAX_NAME_LENGTH)
  sourceId?: string | null;

  @IfPresent()
  @IsJsonObject()
  metadata?: Record<string, unknown>;

  /** Without a `name`: the world to join. */
  @IfPresent()
  @IsUuidText()
  worldId?: string;

  @IfPresent()
  @IsUuidText()
  messageServerId?: string;

  /** Another name for `messageServerId`. */
  @IfPresent()
  @IsUuidText()
  serverId?: string;
}

export function toCreateWorld(body: CreateWorldBody): CreateWorld {
  return {
    name: body.name ?? '',
    sourceType: body.sourceType ?? null,
    sourceId: body.sourceId ?? null,
    messageServerId: (body.messageServerId ?? body.serverId)?.toLowerCase() ?? null,
    metadata: body.metadata ?? {},
  };
}

/** Body of `PATCH /api/agents/{agentId}/worlds/{worldId}`. Absent fields stay as they are. */
export class UpdateWorldBody {
  @IfPresent()
  @IsFilledText(MAX_NAME_LENGTH)
  name?: string;

  /** Merged into the stored metadata, key by key. */
  @IfPresent()
  @IsJsonObject()
  metadata?: Record<string, unknown>;

  /** Merged into `metadata.settings`, key by key. */
  @IfPresent()
  @IsJsonObject()
  settings?: Record<string, unknown>;
}

/** Query of `GET /api/agents/worlds`. */
export class ListWorldsQuery {
  /** Only the worlds of this agent. */
  @IfPresent()
  @IsUuidText()
  agentId?: string;

  /** Page size, 1 to 1000 (1000 when absent). */
  @IfPresent()
  @IsCount(MAX_PAGE_SIZE)
  limit?: string;

  /** `nextCursor` of the page before. */
  @IfPresent()
  @IsString()
  after?: string;
}

/** A place with rooms, as one agent knows it. */
export class WorldView {
  id!: string;
  name!: string;
  agentId!: string;
  /** Empty when not given. */
  sourceType!: string;
  /** Empty when not given. */
  sourceId!: string;
  metadata!: Record<string, unknown>;
  messageServerId!: string | null;
  /** The same as `messageServerId`. */
  serverId!: string | null;
  /** Epoch ms. */
  createdAt!: number;
}

export class WorldsView {
  /** Oldest first. */
  worlds!: WorldView[];
  /** The `after` of the next page; null on the last. */
  nextCursor!: string | null;
}

export class CreatedWorldView {
  world!: WorldView;
  /** Present when the agent joined a world. */
  success?: boolean;
}

export class UpdatedWorldView {
  world!: WorldView;
  worldId!: string;
  /** The value of `metadata.settings`. */
  settings!: Record<string, unknown>;
}

export function presentWorlds({ rows, more }: Page<WorldRow>): WorldsView {
  const last = rows.at(-1);
  return {
    worlds: rows.map(presentWorld),
    nextCursor: more && last ? encodeCursor({ at: last.createdAt, id: last.id }) : null,
  };
}

export function presentUpdatedWorld(world: WorldRow): UpdatedWorldView {
  return { world: presentWorld(world), worldId: world.id, settings: asObject(world.metadata['settings']) };
}

export function presentWorld(world: WorldRow): WorldView {
  return {
    id: world.id,
    name: world.name,
    agentId: world.agentId,
    sourceType: world.sourceType ?? '',
    sourceId: world.sourceId ?? '',
    metadata: world.metadata,
    messageServerId: world.messageServerId,
    serverId: world.messageServerId,
    createdAt: world.createdAt,
  };
}
