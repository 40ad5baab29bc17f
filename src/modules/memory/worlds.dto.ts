import { IsOptional, IsString, MaxLength, ValidateIf } from 'class-validator';
import { cursorText, IfPresent, IsCount, IsFilledText, IsJsonObject, IsUuidText } from '../../core/http/index.js';
import type { WorldRow } from './entities/index.js';
import { asObject } from './memory-json.js';
import type { CreateWorld } from './worlds.service.js';

const LONGEST_NAME = 255;
export const LARGEST_PAGE = 1000;

/** Body of `POST /api/agents/{agentId}/worlds`. */
export class CreateWorldBody {
  /** Needed unless an existing world is named by `worldId`. */
  @ValidateIf((body: CreateWorldBody) => body.name !== undefined || body.worldId === undefined)
  @IsFilledText(LONGEST_NAME)
  name?: string;

  @IsOptional()
  @IsString()
  @MaxLength(LONGEST_NAME)
  sourceType?: string | null;

  @IsOptional()
  @IsString()
  @MaxLength(LONGEST_NAME)
  sourceId?: string | null;

  @IfPresent()
  @IsJsonObject()
  metadata?: Record<string, unknown>;

  /** Without a name: the world that the agent is to join. */
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
  @IsFilledText(LONGEST_NAME)
  name?: string;

  /** Laid over the stored metadata, key by key. */
  @IfPresent()
  @IsJsonObject()
  metadata?: Record<string, unknown>;

  /** Laid over `metadata.settings`, key by key. */
  @IfPresent()
  @IsJsonObject()
  settings?: Record<string, unknown>;
}

/** Query of `GET /api/agents/worlds`. */
export class ListWorldsQuery {
  /** The worlds of one agent alone. */
  @IfPresent()
  @IsUuidText()
  agentId?: string;

  /** Worlds in a page, 1 to 1000 (1000 when absent). */
  @IfPresent()
  @IsCount(LARGEST_PAGE)
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
  /** Empty when it was not given. */
  sourceType!: string;
  /** Empty when it was not given. */
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
  /** Only for an agent that joined a world. */
  success?: boolean;
}

export class UpdatedWorldView {
  world!: WorldView;
  worldId!: string;
  /** What is under `metadata.settings`. */
  settings!: Record<string, unknown>;
}

/** @param found one more than the limit when there are more */
export function presentWorlds(found: readonly WorldRow[], limit: number): WorldsView {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    worlds: page.map(presentWorld),
    nextCursor: found.length > limit && last ? cursorText({ at: last.createdAt, id: last.id }) : null,
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
