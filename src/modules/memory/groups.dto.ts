import { ArrayMaxSize, ArrayMinSize, IsArray, IsString } from 'class-validator';
import { IfPresent, IsFilledText, IsJsonObject, IsUuidText, MaxCharacters } from '../../core/http/index.js';
import type { RoomRow } from './entities/index.js';
import type { CreateGroup } from './groups.service.js';

const MAX_NAME_LENGTH = 255;
const MAX_AGENTS = 1000;

/** Body of `POST /api/memory/groups/{messageServerId}`. */
export class CreateGroupBody {
  /** The agents that get a room; all when absent. */
  @IfPresent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_AGENTS)
  @IsUuidText({ each: true })
  agentIds?: string[];

  @IfPresent()
  @IsFilledText(MAX_NAME_LENGTH)
  name?: string;

  /** Stored as `metadata.description`. */
  @IfPresent()
  @IsString()
  @MaxCharacters(10_000)
  description?: string;

  /** World of the rooms, created if it does not exist; each agent's view of the server when absent. */
  @IfPresent()
  @IsUuidText()
  worldId?: string;

  @IfPresent()
  @IsFilledText(MAX_NAME_LENGTH)
  source?: string;

  @IfPresent()
  @IsJsonObject()
  metadata?: Record<string, unknown>;
}

/** An agent's room of a message server. */
export class GroupRoomView {
  id!: string;
  agentId!: string;
  name!: string;
  source!: string;
  worldId!: string | null;
  messageServerId!: string | null;
  /** Always `API`. */
  type!: string;
}

/** Result for a request without `agentIds`; `DELETE /api/memory/groups/{worldId}` deletes all of it. */
export class GroupView {
  worldId!: string;
  rooms!: GroupRoomView[];
}

export class DeletedGroupMemoriesView {
  success!: boolean;
  /** Number of deleted memories. */
  deleted!: number;
}

export function toCreateGroup(messageServerId: string, body: CreateGroupBody): CreateGroup {
  return {
    messageServerId,
    agentIds: body.agentIds?.map((id) => id.toLowerCase()),
    name: body.name,
    worldId: body.worldId?.toLowerCase(),
    source: body.source ?? 'client',
    metadata: { ...(body.description === undefined ? {} : { description: body.description }), ...body.metadata },
  };
}

export function presentGroupRoom({ id, agentId, name, source, worldId, messageServerId, type }: RoomRow): GroupRoomView {
  return { id, agentId, name, source, worldId, messageServerId, type };
}
