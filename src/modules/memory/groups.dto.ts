import { ArrayMaxSize, ArrayMinSize, IsArray, IsString, MaxLength } from 'class-validator';
import { IfPresent, IsFilledText, IsJsonObject, IsUuidText } from '../../core/http/index.js';
import type { RoomRow } from './entities/index.js';
import type { CreateGroup } from './groups.service.js';

const LONGEST_NAME = 255;
const MOST_AGENTS = 1000;

/** Body of `POST /api/memory/groups/{messageServerId}`. */
export class CreateGroupBody {
  /** The agents that get a room; all when absent. */
  @IfPresent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_AGENTS)
  @IsUuidText({ each: true })
  agentIds?: string[];

  @IfPresent()
  @IsFilledText(LONGEST_NAME)
  name?: string;

  /** Kept as `metadata.description`. */
  @IfPresent()
  @IsString()
  @MaxLength(10_000)
  description?: string;

  /** World of the rooms, created when there is none with this id; each agent's view of the server when absent. */
  @IfPresent()
  @IsUuidText()
  worldId?: string;

  @IfPresent()
  @IsFilledText(LONGEST_NAME)
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

/** What a caller gets who did not say which agents: by `worldId` everything can be deleted again. */
export class GroupView {
  worldId!: string;
  rooms!: GroupRoomView[];
}

export class ForgottenGroupView {
  success!: boolean;
  /** How many memories there were. */
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
