import { IsOptional, IsString } from 'class-validator';
import { AppError } from '../../core/errors/index.js';
import { IfPresent, IsFilledText, IsJsonObject, IsUuidText } from '../../core/http/index.js';
import { roomTypeOf, ROOM_TYPE_WORDS } from './room-types.js';
import type { CreateRoom, Room } from './rooms.service.js';

const LONGEST_NAME = 255;

/** Body of `POST /api/agents/{agentId}/rooms`. */
export class CreateRoomBody {
  @IsFilledText(LONGEST_NAME)
  name!: string;

  /** World of the room, created when there is none with this id; the agent's own when absent. */
  @IfPresent()
  @IsUuidText()
  worldId?: string;

  /** Id of the room. A room of the agent with this id is answered as it is. */
  @IfPresent()
  @IsUuidText()
  roomId?: string;

  /** Somebody who takes part in the room beside the agent. */
  @IfPresent()
  @IsUuidText()
  entityId?: string;

  @IfPresent()
  @IsString()
  type?: string;

  @IfPresent()
  @IsFilledText(LONGEST_NAME)
  source?: string;

  @IsOptional()
  @IsUuidText()
  messageServerId?: string | null;

  /** Another name for `messageServerId`. */
  @IsOptional()
  @IsUuidText()
  serverId?: string | null;

  @IfPresent()
  @IsJsonObject()
  metadata?: Record<string, unknown>;
}

/** @throws AppError VALIDATION_ERROR for a type that is none */
export function toCreateRoom(body: CreateRoomBody): CreateRoom {
  const type = roomTypeOf(body.type ?? 'DM');
  if (type === undefined) throw new AppError('VALIDATION_ERROR', `type must be one of ${ROOM_TYPE_WORDS.join(', ')}`);
  return {
    name: body.name,
    type,
    source: body.source ?? 'client',
    worldId: body.worldId?.toLowerCase(),
    roomId: body.roomId?.toLowerCase(),
    entityId: body.entityId?.toLowerCase(),
    messageServerId: (body.messageServerId ?? body.serverId)?.toLowerCase() ?? null,
    metadata: body.metadata ?? {},
  };
}

export function presentRoom(room: Room): Record<string, unknown> {
  return {
    id: room.id,
    name: room.name,
    source: room.source,
    worldId: room.worldId,
    entities: room.entities,
    agentId: room.agentId,
    type: room.type,
    channelId: room.channelId,
    messageServerId: room.messageServerId,
    serverId: room.messageServerId,
    metadata: room.metadata,
    createdAt: room.createdAt,
  };
}
