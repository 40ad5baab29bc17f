import { IsOptional, IsString } from 'class-validator';
import { AppError } from '../../core/errors/index.js';
import { encodeCursor, IfPresent, IsCount, IsFilledText, IsJsonObject, IsUuidText } from '../../core/http/index.js';
import { parseRoomType, ROOM_TYPE_NAMES } from './room-types.js';
import type { SummaryDetails } from './conversation-summaries.js';
import type { CreateRoom, Room } from './rooms.service.js';

const MAX_NAME_LENGTH = 255;
export const MAX_PAGE_SIZE = 1000;

/** Body of `POST /api/agents/{agentId}/rooms`. */
export class CreateRoomBody {
  @IsFilledText(MAX_NAME_LENGTH)
  name!: string;

  /** World of the room, created if it does not exist; the agent's own when absent. */
  @IfPresent()
  @IsUuidText()
  worldId?: string;

  /** Id of the room. An existing room of the agent with this id is returned unchanged. */
  @IfPresent()
  @IsUuidText()
  roomId?: string;

  /** A participant besides the agent. */
  @IfPresent()
  @IsUuidText()
  entityId?: string;

  @IfPresent()
  @IsString()
  type?: string;

  @IfPresent()
  @IsFilledText(MAX_NAME_LENGTH)
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

/** @throws AppError VALIDATION_ERROR for an unknown type */
export function toCreateRoom(body: CreateRoomBody): Omit<CreateRoom, 'users'> {
  const type = parseRoomType(body.type ?? 'DM');
  if (type === undefined) throw new AppError('VALIDATION_ERROR', `type must be one of ${ROOM_TYPE_NAMES.join(', ')}`);
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

/** Body of `PATCH /api/agents/{agentId}/rooms/{roomId}`. Absent fields stay as they are. */
export class UpdateRoomBody {
  @IfPresent()
  @IsFilledText(MAX_NAME_LENGTH)
  name?: string;

  /** Merged into the stored metadata, key by key. */
  @IfPresent()
  @IsJsonObject()
  metadata?: Record<string, unknown>;
}

/** Query of `GET /api/agents/{agentId}/rooms`. */
export class ListRoomsQuery {
  @IfPresent()
  @IsUuidText()
  worldId?: string;

  @IfPresent()
  @IsUuidText()
  channelId?: string;

  /** Page size, 1 to 1000 (1000 when absent). */
  @IfPresent()
  @IsCount(MAX_PAGE_SIZE)
  limit?: string;

  /** `nextCursor` of the page before. */
  @IfPresent()
  @IsString()
  after?: string;
}

/** A participant of a room. */
export class RoomEntityView {
  id!: string;
  name!: string;
}

/** A conversation as one agent knows it. */
export class RoomView {
  id!: string;
  name!: string;
  source!: string;
  worldId!: string | null;
  /** Participants, the agent first. */
  entities!: RoomEntityView[];
  agentId!: string;
  /** `SELF`, `DM`, `GROUP`, `VOICE_DM`, `VOICE_GROUP`, `FEED`, `THREAD`, `WORLD`, `FORUM` or `API`. */
  type!: string;
  /** The channel that the room follows. */
  channelId!: string | null;
  messageServerId!: string | null;
  /** The same as `messageServerId`. */
  serverId!: string | null;
  metadata!: Record<string, unknown>;
  /** Epoch ms. */
  createdAt!: number;
  /** Epoch ms. */
  updatedAt!: number;
}

export class RoomDetailsView extends RoomView {
  /** Name of the room's world, if it has one. */
  worldName?: string;
}

export class RoomsView {
  /** Oldest first. */
  rooms!: RoomView[];
  /** The `after` of the next page; null on the last. */
  nextCursor!: string | null;
}

/** The summary of a conversation. */
export class SummaryView {
  /** @format uuid */
  roomId!: string;
  text!: string;
  /** Number of messages that it summarises. */
  messages!: number;
  /** Position in the channel of the first message that it summarises. */
  fromSeq!: number;
  /** Position in the channel of the last message that it summarises. */
  throughSeq!: number;
  /** Provider and id of the model that wrote it. @example openai/gpt-5-mini */
  model!: string;
  /** Epoch ms. */
  createdAt!: number;
}

export function presentSummary(roomId: string, { text, messages, fromSeq, throughSeq, model, createdAt }: SummaryDetails): SummaryView {
  return { roomId, text, messages, fromSeq, throughSeq, model, createdAt };
}

export function presentRooms({ rooms, hasMore }: { rooms: readonly Room[]; hasMore: boolean }): RoomsView {
  const last = rooms.at(-1);
  return { rooms: rooms.map(presentRoom), nextCursor: hasMore && last ? encodeCursor({ at: last.createdAt, id: last.id }) : null };
}

export function presentRoom(room: Room): RoomView {
  return {
    id: room.id,
    name: room.name,
    source: room.source,
    worldId: room.worldId,
    entities: [...room.entities],
    agentId: room.agentId,
    type: room.type,
    channelId: room.channelId,
    messageServerId: room.messageServerId,
    serverId: room.messageServerId,
    metadata: room.metadata,
    createdAt: room.createdAt,
    updatedAt: room.updatedAt ?? room.createdAt,
  };
}
