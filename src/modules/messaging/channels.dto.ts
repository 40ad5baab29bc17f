import { ArrayMaxSize, IsArray, IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { Checked, IfPresent, IsCount, IsFilledText, IsJsonObject, IsUuidText } from '../../core/http/index.js';
import { AppError } from '../../core/errors/index.js';
import { isUuid } from '../../core/ids/index.js';
import { CHANNEL_TYPE_WORDS, channelTypeOf, TURN_POLICIES, type Channel, type ChannelType, type TurnPolicy } from './channel-types.js';
import type { CreateChannel, UpdateChannel } from './channels.service.js';
import { iso } from './messages.presenter.js';
import type { ChannelPlace } from './repositories/channels.repository.js';

const LONGEST_NAME = 255;
const LONGEST_DESCRIPTION = 10_000;
const MOST_PARTICIPANTS = 10_000;

export class ChannelFields {
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
  @ArrayMaxSize(MOST_PARTICIPANTS)
  @IsUuidText({ each: true })
  participantCentralUserIds?: string[];

  @IfPresent()
  @IsIn(TURN_POLICIES)
  turnPolicy?: TurnPolicy;
}

/** Body of `PATCH /api/messaging/channels/{channelId}`. Absent fields stay as they are. */
export class UpdateChannelBody extends ChannelFields {
  @IfPresent()
  @IsFilledText(LONGEST_NAME)
  name?: string;
}

/** Body of `POST /api/messaging/channels`. */
export class CreateChannelBody extends ChannelFields {
  @IsFilledText(LONGEST_NAME)
  name!: string;

  @IfPresent()
  @IsUuidText()
  serverId?: string;

  /** Another name of `serverId`, as the answers have it. */
  @IfPresent()
  @IsUuidText()
  messageServerId?: string;

  @IfPresent()
  @IsUuidText()
  server_id?: string;

  @IfPresent()
  @IsUuidText()
  message_server_id?: string;

  /** The kind of channel, in any spelling that is known. */
  @IfPresent()
  @IsChannelType()
  type?: string;

  /** Another name of `participantCentralUserIds`. */
  @IfPresent()
  @IsArray()
  @ArrayMaxSize(MOST_PARTICIPANTS)
  @IsUuidText({ each: true })
  participants?: string[];
}

/** Body of `POST /api/messaging/channels/{channelId}/agents`, and of the same for a message server. */
export class AgentBody {
  @IsUuidText()
  agentId!: string;
}

/** Query of `GET /api/messaging/message-servers/{messageServerId}/channels`. */
export class ListChannelsQuery {
  /** Channels in a page, 1 to 1000; all of them when it is left out. */
  @IfPresent()
  @IsCount(1000)
  limit?: string;

  /** Where the page before ended: its X-Next-Cursor. */
  @IfPresent()
  @IsString()
  cursor?: string;
}

/** Query of `GET /api/messaging/dm-channel`. */
export class DmChannelQuery {
  @IfPresent()
  @IsUuidText()
  currentUserId?: string;

  @IfPresent()
  @IsUuidText()
  targetUserId?: string;

  /** Another name of `currentUserId`. */
  @IfPresent()
  @IsUuidText()
  userId1?: string;

  /** Another name of `targetUserId`. */
  @IfPresent()
  @IsUuidText()
  userId2?: string;

  /** The message server of the channel; the default one when it is left out. */
  @IfPresent()
  @IsUuidText()
  dmServerId?: string;
}

/** Query of `PATCH /api/messaging/channels/{channelId}`. */
export class UpdateChannelQuery {
  /** Lays the metadata over the stored one, which it replaces otherwise. */
  @IfPresent()
  @IsIn(['merge'])
  metadata?: string;
}

/** Query of `GET /api/messaging/channels/{channelId}/participants`. */
export class ParticipantsQuery {
  /** `true` for objects in place of ids. */
  @IfPresent()
  @IsIn(['true', 'false'])
  expand?: string;
}

/** A channel. */
export class ChannelView {
  id!: string;
  name!: string;
  /** The message server that holds the channel. */
  serverId!: string;
  /** The same as `serverId`. */
  messageServerId!: string;
  /** The kind of channel as its creator wrote it; `text` for a channel that was created without one. */
  type!: string;
  /** The kind that agents go by: one of SELF, DM, GROUP, VOICE_DM, VOICE_GROUP, FEED, THREAD, WORLD, FORUM, API. */
  channelType!: string;
  description!: string;
  /** The same as `description`. */
  topic!: string;
  metadata!: Record<string, unknown>;
  /** Where the channel comes from, when it mirrors one of another platform. */
  sourceType!: string | null;
  /** Its id there. */
  sourceId!: string | null;
  /** What happens to a message that arrives while an answer is being made: enqueue, reject or interrupt. */
  turnPolicy!: string;
  /** ISO 8601. */
  createdAt!: string;
  /** ISO 8601. */
  updatedAt!: string;
}

/** A channel that was created or found; `channel` repeats it for clients that look there. */
export class NewChannelView extends ChannelView {
  channel!: ChannelView;
}

/** The channels of a message server in the dialect `eliza`. */
export class ChannelListView {
  channels!: ChannelView[];
  /** Where the next page begins; absent on the last one. */
  nextCursor?: string;
}

/** Somebody who takes part in a channel. */
export class ParticipantView {
  id!: string;
  channelId!: string;
  /** The user or agent; the same as `id`. */
  userId!: string;
  /** The agent's name; empty for a user. */
  name!: string;
  /** `agent` or `user`. */
  role!: string;
  /** ISO 8601. */
  joinedAt!: string;
}

/** The participants of a channel in the dialect `eliza`. */
export class ParticipantListView {
  participants!: ParticipantView[];
}

/** Who takes part in a channel. */
export class ChannelAgentsView {
  channelId!: string;
  /** Ids of everybody who takes part. */
  participants!: string[];
  /** Ids of the agents among them. */
  agents!: string[];
}

/** That an agent joined or left a channel. */
export class ChannelAgentView {
  /** Always true. */
  success!: boolean;
  channelId!: string;
  agentId!: string;
  message!: string;
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

/** The kind of channel that a body names. */
export function toChannelType(word = 'GROUP'): { type: string; channelType: ChannelType } {
  return channelTypeOf(word) ?? { type: word, channelType: 'GROUP' };
}

/** A word for a kind of channel, in any spelling that is known. */
export function IsChannelType(): PropertyDecorator {
  return Checked(
    'isChannelType',
    { type: 'string', examples: CHANNEL_TYPE_WORDS },
    (value) => typeof value === 'string' && channelTypeOf(value) !== undefined,
    () => `$property must be one of ${CHANNEL_TYPE_WORDS.join(', ')}`,
  );
}

export function toCreate(body: CreateChannelBody): Omit<CreateChannel, 'users'> {
  return {
    ...toChannelType(body.type),
    serverId: (body.serverId ?? body.messageServerId ?? body.server_id ?? body.message_server_id)?.toLowerCase(),
    name: body.name,
    description: body.description ?? body.topic ?? null,
    metadata: body.metadata,
    turnPolicy: body.turnPolicy,
    participants: body.participantCentralUserIds ?? body.participants ?? [],
  };
}

export function presentChannel(channel: Channel): ChannelView {
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
function presentChannelDetails(channel: Channel): ChannelView {
  const participantCentralUserIds = channel.participants.map(({ entityId }) => entityId);
  return { ...presentChannel(channel), metadata: { ...channel.metadata, participantCentralUserIds } };
}

/** The channel itself and once more as `channel`. */
export function presentNewChannel(channel: Channel): NewChannelView {
  const view = presentChannelDetails(channel);
  return { ...view, channel: view };
}

/** @param nameOf an agent's name */
export function presentParticipants(channel: Channel, nameOf: (agentId: string) => string | undefined): ParticipantView[] {
  return channel.participants.map(({ entityId, kind, joinedAt }) => ({
    id: entityId,
    channelId: channel.id,
    userId: entityId,
    name: nameOf(entityId) ?? '',
    role: kind,
    joinedAt: iso(joinedAt),
  }));
}

export function presentChannelAgents({ id, participants }: Channel): ChannelAgentsView {
  return {
    channelId: id,
    participants: participants.map(({ entityId }) => entityId),
    agents: participants.filter(({ kind }) => kind === 'agent').map(({ entityId }) => entityId),
  };
}

/** A part of a list of channels. */
export interface ChannelPage {
  readonly limit?: number;
  readonly after?: ChannelPlace;
}

/** @throws AppError VALIDATION_ERROR */
export function toChannelPage({ limit, cursor }: ListChannelsQuery): ChannelPage {
  return {
    ...(limit === undefined ? {} : { limit: Number(limit) }),
    ...(cursor === undefined ? {} : { after: placeOf(cursor) }),
  };
}

/** The cursor behind a channel. */
export function channelCursor({ createdAt, id }: ChannelPlace): string {
  return Buffer.from(`${createdAt}:${id}`).toString('base64url');
}

function placeOf(cursor: string): ChannelPlace {
  const [createdAt = '', id] = Buffer.from(cursor, 'base64url').toString('latin1').split(':');
  if (/^\d{1,15}$/.test(createdAt) && isUuid(id)) return { createdAt: Number(createdAt), id };
  throw new AppError('VALIDATION_ERROR', 'cursor is none that this operation gave out', 'Send the X-Next-Cursor of an earlier page.');
}
