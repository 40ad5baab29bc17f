import { IsArray, IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { IfPresent, IsFilledText, IsJsonObject, IsUuidText } from '../../core/http/index.js';
import { AppError } from '../../core/errors/index.js';
import { CHANNEL_TYPE_WORDS, channelTypeOf, TURN_POLICIES, type Channel, type TurnPolicy } from './channel-types.js';
import type { CreateChannel, UpdateChannel } from './channels.service.js';
import { iso } from './messages.presenter.js';

const LONGEST_NAME = 255;
const LONGEST_DESCRIPTION = 10_000;

/** Body of `PATCH /api/messaging/channels/{channelId}`. Absent fields stay as they are. */
export class UpdateChannelBody {
  @IfPresent()
  @IsFilledText(LONGEST_NAME)
  name?: string;

  /** Replaces the stored metadata; with `?metadata=merge` it is laid over it. */
  @IfPresent()
  @IsJsonObject()
  metadata?: Record<string, unknown>;

  @IsOptional()
  @IsString()
  @MaxLength(LONGEST_DESCRIPTION)
  description?: string | null;

  @IsOptional()
  @IsString()
  @MaxLength(LONGEST_DESCRIPTION)
  topic?: string | null;

  /** The complete list of who is in the channel. */
  @IfPresent()
  @IsArray()
  @IsUuidText({ each: true })
  participantCentralUserIds?: string[];

  @IfPresent()
  @IsIn(TURN_POLICIES)
  turnPolicy?: TurnPolicy;
}

/** Body of `POST /api/messaging/channels`. */
export class CreateChannelBody extends UpdateChannelBody {
  @IsFilledText(LONGEST_NAME)
  override name!: string;

  @IfPresent()
  @IsUuidText()
  serverId?: string;

  @IfPresent()
  @IsUuidText()
  server_id?: string;

  @IfPresent()
  @IsUuidText()
  message_server_id?: string;

  @IfPresent()
  @IsString()
  type?: string;
}

export function toUpdate(body: UpdateChannelBody, mergeMetadata: boolean): UpdateChannel {
  return {
    name: body.name,
    description: body.description === undefined ? body.topic : body.description,
    metadata: body.metadata,
    mergeMetadata,
    participants: body.participantCentralUserIds,
    turnPolicy: body.turnPolicy,
  };
}

/** @throws AppError VALIDATION_ERROR for a type that is none */
export function toCreate(body: CreateChannelBody): CreateChannel {
  const type = channelTypeOf(body.type ?? 'GROUP');
  if (!type) throw new AppError('VALIDATION_ERROR', `type must be one of ${CHANNEL_TYPE_WORDS.join(', ')}`);
  return {
    ...type,
    serverId: body.serverId ?? body.server_id ?? body.message_server_id,
    name: body.name,
    description: body.description ?? body.topic ?? null,
    metadata: body.metadata,
    turnPolicy: body.turnPolicy,
    participants: body.participantCentralUserIds ?? [],
  };
}

export function presentChannel(channel: Channel): Record<string, unknown> {
  return {
    id: channel.id,
    name: channel.name,
    serverId: channel.serverId,
    messageServerId: channel.serverId,
    type: channel.type,
    channelType: channel.channelType,
    description: channel.description ?? '',
    topic: channel.description ?? '',
    metadata: channel.metadata,
    sourceType: channel.sourceType,
    sourceId: channel.sourceId,
    turnPolicy: channel.turnPolicy,
    createdAt: iso(channel.createdAt),
    updatedAt: iso(channel.updatedAt),
  };
}

/** With the participants in its metadata, where the original's client looks before it sends the full list back. */
export function presentChannelDetails(channel: Channel): Record<string, unknown> {
  const participantCentralUserIds = channel.participants.map(({ entityId }) => entityId);
  return { ...presentChannel(channel), metadata: { ...channel.metadata, participantCentralUserIds } };
}
