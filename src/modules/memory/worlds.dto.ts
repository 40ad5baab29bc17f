import { IsOptional, IsString, MaxLength, ValidateIf } from 'class-validator';
import { IfPresent, IsFilledText, IsJsonObject, IsUuidText } from '../../core/http/index.js';
import type { WorldRow } from './entities/index.js';
import type { CreateWorld } from './worlds.service.js';

const LONGEST_NAME = 255;

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

export function presentWorld(world: WorldRow): Record<string, unknown> {
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
