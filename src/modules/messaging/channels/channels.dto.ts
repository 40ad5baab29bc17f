import { ArrayMaxSize, IsArray, IsIn, IsOptional, IsString } from 'class-validator';
import { Check, IfPresent, IsCount, IsFilledText, IsJsonObject, IsUuidText, MaxCharacters } from '../../../core/http/index.js';
import { AppError } from '../../../core/errors/index.js';
import { isUuid } from '../../../core/ids/index.js';
import { CHANNEL_TYPE_NAMES, parseChannelType, TURN_POLICIES, type Channel, type ChannelType, type TurnPolicy } from './channel-types.js';
import type { CreateChannel, UpdateChannel } from './channels.service.js';
import { iso } from '../messages/messages.presenter.js';
import type { ChannelPosition } from './channels.repository.js';

const MAX_NAME_LENGTH = 255;
const MAX_DESCRIPTION_LENGTH = 10_000;
const MAX_PARTICIPANTS = 10_000;

export class ChannelFields {
  /** Replaces the stored metadata; with `?metadata=merge` it is merged into it. */
  @IfPresent()
  @IsJsonObject()
  metadata?: Record<string, unknown>;

  @IsOptional()
  @IsString()
  @MaxCharacters(MAX_DESCRIPTION_LENGTH)
  description?: string | null;

  @IsOptional()
  @IsString()
  @MaxCharacters(MAX_DESCRIPTION_LENGTH)
  topic?: string | null;

  /** The complete list of participants. */
  @IfPresent()
  @IsArray()
  @ArrayMaxSize(MAX_PARTICIPANTS)
  @IsUuidText({ each: true })
  participantCentralUserIds?: string[];

  @IfPresent()
  @IsIn(TURN_POLICIES)
  turnPolicy?: TurnPolicy;
}

/** Body of `PATCH /api/messaging/channels/{channelId}`. Absent fields stay as they are. */
export class UpdateChannelBody extends ChannelFields {
  @IfPresent()
  @IsFilledText(MAX_NAME_LENGTH)
  name?: string;
}

/** Body of `POST /api/messaging/channels`. */
export class CreateChannelBody extends ChannelFields {
  @IsFilledText(MAX_NAME_LENGTH)
  name!: string;

  @IfPresent()
  @IsUuidText()
  serverId?: string;

  /** Alias of `serverId`, as in responses. */
  @IfPresent()
  @IsUuidText()
  messageServerId?: string;

  @IfPresent()
  @IsUuidText()
  server_id?: string;

  @IfPresent()
  @IsUuidText()
  message_server_id?: string;

  /** Channel type: any known name or alias. */
  @IfPresent()
  @IsChannelType()
  type?: string;

  /** Alias of `participantCentralUserIds`. */
  @IfPresent()
  @IsArray()
  @ArrayMaxSize(MAX_PARTICIPANTS)
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
  /** Page size, 1 to 1000; all channels when absent. */
  @IfPresent()
  @IsCount(1000)
  limit?: string;

  /** `X-Next-Cursor` of the previous page. */
  @IfPresent()
  @IsString()
  cursor?: string;
}

/** Query of `GET /api/messaging/dm-channel`. */
export class DmChannelQuery {
  /** Required, except with a user token: its user when absent. */
  @IfPresent()
  @IsUuidText()
  currentUserId?: string;

  @IfPresent()
  @IsUuidText()
  targetUserId?: string;

  /** Alias of `currentUserId`. */
  @IfPresent()
  @IsUuidText()
  userId1?: string;

  /** Alias of `targetUserId`. */
  @IfPresent()
  @IsUuidText()
  userId2?: string;

  /** The message server of the channel; the default one when absent. */
  @IfPresent()
  @IsUuidText()
  dmServerId?: string;

  /** Name of one of several direct channels of the two; the unnamed one when absent. */
  @IfPresent()
  @IsFilledText(MAX_NAME_LENGTH)
  name?: string;
}

/** Query of `PATCH /api/messaging/channels/{channelId}`. */
export class UpdateChannelQuery {
  /** `merge` merges the metadata into the stored metadata; otherwise it replaces it. */
  @IfPresent()
  @IsIn(['merge'])
  metadata?: string;
}

/** Query of `GET /api/messaging/channels/{channelId}/participants`. */
export class ParticipantsQuery {
  /** `true` returns objects instead of ids. */
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
  /** Channel type as the creator wrote it; `text` for a channel created without one. */
  type!: string;
  /** Channel type that agents use: SELF, DM, GROUP, VOICE_DM, VOICE_GROUP, FEED, THREAD, WORLD, FORUM or API. */
  channelType!: string;
  description!: string;
  /** The same as `description`. */
  topic!: string;
  metadata!: Record<string, unknown>;
  /** The platform whose channel this one mirrors. */
  sourceType!: string | null;
  /** Its id on that platform. */
  sourceId!: string | null;
  /** How a message is handled that arrives while a turn is in progress: enqueue, reject or interrupt. */
  turnPolicy!: string;
  /** ISO 8601. */
  createdAt!: string;
  /** ISO 8601. */
  updatedAt!: string;
}

/** A channel that was created or found; `channel` repeats it for clients that expect it there. */
export class NewChannelView extends ChannelView {
  channel!: ChannelView;
}

/** The channels of a message server in the dialect `eliza`. */
export class ChannelListView {
  channels!: ChannelView[];
  /** Cursor of the next page; absent on the last one. */
  nextCursor?: string;
}

/** A participant of a channel. */
export class ParticipantView {
  id!: string;
  channelId!: string;
  /** Id of the user or agent; the same as `id`. */
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

/** The participants of a channel. */
export class ChannelAgentsView {
  channelId!: string;
  /** Ids of all participants. */
  participants!: string[];
  /** Ids of the agents among them. */
  agents!: string[];
}

/** Confirms that an agent joined or left a channel. */
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

/** The channel type of a request body. */
export function toChannelType(word = 'GROUP'): { type: string; channelType: ChannelType } {
  return parseChannelType(word) ?? { type: word, channelType: 'GROUP' };
}

/** Accepts the name or alias of a channel type. */
export function IsChannelType(): PropertyDecorator {
  return Check(
    'isChannelType',
    { type: 'string', examples: CHANNEL_TYPE_NAMES },
    (value) => typeof value === 'string' && parseChannelType(value) !== undefined,
    () => `$property must be one of ${CHANNEL_TYPE_NAMES.join(', ')}`,
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

/** Adds the participants to the metadata, where the original's client reads them before it sends the full list back. */
function presentChannelDetails(channel: Channel): ChannelView {
  const participantCentralUserIds = channel.participants.map(({ entityId }) => entityId);
  return { ...presentChannel(channel), metadata: { ...channel.metadata, participantCentralUserIds } };
}

/** The channel, repeated as `channel`. */
export function presentNewChannel(channel: Channel): NewChannelView {
  const view = presentChannelDetails(channel);
  return { ...view, channel: view };
}

/** @param nameOf returns an agent's name */
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

/** Paging of a list of channels. */
export interface ChannelPage {
  readonly limit?: number;
  readonly after?: ChannelPosition;
}

/** @throws AppError VALIDATION_ERROR */
export function toChannelPage({ limit, cursor }: ListChannelsQuery): ChannelPage {
  return {
    ...(limit === undefined ? {} : { limit: Number(limit) }),
    ...(cursor === undefined ? {} : { after: parseCursor(cursor) }),
  };
}

/** The cursor of the page after a channel. */
export function channelCursor({ createdAt, id }: ChannelPosition): string {
  return Buffer.from(`${createdAt}:${id}`).toString('base64url');
}

function parseCursor(cursor: string): ChannelPosition {
  const [createdAt = '', id] = Buffer.from(cursor, 'base64url').toString('latin1').split(':');
  if (/^\d{1,15}$/.test(createdAt) && isUuid(id)) return { createdAt: Number(createdAt), id };
  throw new AppError('VALIDATION_ERROR', 'cursor is not a cursor of this list', 'Send the X-Next-Cursor of an earlier page.');
}
