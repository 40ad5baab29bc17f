import { IsOptional, IsString } from 'class-validator';
import {
  encodeCursor,
  IfPresent,
  IsCount,
  IsFilledText,
  IsJsonObject,
  IsListOf,
  MaxCharacters,
  pagedList,
  parseCursor,
  takeFirst,
} from '../../../core/http/index.js';
import { IsChannelType, toChannelType } from '../channels/channels.dto.js';
import type { MessageServerRow } from '../entities/index.js';
import { iso } from '../messages/messages.presenter.js';
import type { ServerPage } from './servers.repository.js';
import type { CreateServer, SyncedChannel } from './servers.service.js';

const MAX_NAME_LENGTH = 255;
const MAX_DESCRIPTION_LENGTH = 10_000;
const MAX_SYNCED = 1000;

/** Query of `GET /api/messaging/message-servers`. */
export class ListServersQuery {
  /** Page size, 1 to 1000; all message servers when absent. */
  @IfPresent()
  @IsCount(1000)
  limit?: string;

  /** `nextCursor` of the previous page. */
  @IfPresent()
  @IsString()
  cursor?: string;
}

/** Body of `POST /api/messaging/message-servers`. */
export class CreateServerBody {
  @IsFilledText(MAX_NAME_LENGTH)
  name!: string;

  /** The platform that the server mirrors; `api` when absent. */
  @IfPresent()
  @IsFilledText(MAX_NAME_LENGTH)
  sourceType?: string;

  /** Its id on that platform. */
  @IsOptional()
  @IsFilledText(MAX_NAME_LENGTH)
  sourceId?: string | null;

  /** Stored in the metadata. */
  @IsOptional()
  @IsString()
  @MaxCharacters(MAX_DESCRIPTION_LENGTH)
  description?: string | null;

  @IsOptional()
  @IsJsonObject()
  metadata?: Record<string, unknown> | null;
}

/** A channel of the platform that a message server mirrors. */
export class SyncedChannelBody {
  /** Its id on that platform; entries with the same id are the same channel. */
  @IsFilledText(MAX_NAME_LENGTH)
  sourceId!: string;

  @IsFilledText(MAX_NAME_LENGTH)
  name!: string;

  /** Channel type: any known name or alias. */
  @IfPresent()
  @IsChannelType()
  type?: string;

  @IsOptional()
  @IsString()
  @MaxCharacters(MAX_DESCRIPTION_LENGTH)
  description?: string | null;

  @IfPresent()
  @IsJsonObject()
  metadata?: Record<string, unknown>;
}

/** Body of `POST /api/messaging/message-servers/{messageServerId}/sync-channels`. */
export class SyncChannelsBody {
  @IsListOf(SyncedChannelBody, MAX_SYNCED)
  channels!: SyncedChannelBody[];
}

/** A group of channels. */
export class MessageServerView {
  id!: string;
  name!: string;
  /** The platform that the server mirrors. */
  sourceType!: string;
  /** Its id on that platform. */
  sourceId!: string | null;
  metadata!: Record<string, unknown>;
  /** ISO 8601. */
  createdAt!: string;
  /** ISO 8601. */
  updatedAt!: string;
}

/** A message server that was created; `server` repeats it for clients that expect it there. */
export class NewMessageServerView extends MessageServerView {
  server!: MessageServerView;
}

/** Message servers in the order of their creation. */
export class MessageServerListView {
  messageServers!: MessageServerView[];
  /** The same list under its older name. */
  servers!: MessageServerView[];
  /** With a `limit`: the `cursor` of the next page; null on the last. */
  nextCursor?: string | null;
}

/** The default message server. */
export class CurrentServerView {
  messageServerId!: string;
}

/** Result of a synchronisation. */
export class SyncedView {
  synced!: number;
  /** Ids of the channels, in the order of the request. */
  channelIds!: string[];
}

export class ServerAgents {
  messageServerId!: string;
  /** Ids of the server's agents. */
  agents!: string[];
}

/** The agents of a message server; `data` repeats them for clients that expect them there. */
export class ServerAgentsView extends ServerAgents {
  /** Always true. */
  success!: boolean;
  data!: ServerAgents;
}

export class ServerAgent {
  messageServerId!: string;
  agentId!: string;
  message!: string;
}

/** Confirms that an agent joined or left a message server; `data` repeats it for clients that expect it there. */
export class ServerAgentView extends ServerAgent {
  /** Always true. */
  success!: boolean;
  data!: ServerAgent;
}

export class AgentServers {
  agentId!: string;
  /** Ids of the agent's message servers. */
  messageServers!: string[];
}

/** The message servers of an agent; `data` repeats them for clients that expect them there. */
export class AgentServersView extends AgentServers {
  /** Always true. */
  success!: boolean;
  data!: AgentServers;
}

export function toCreateServer({ name, sourceType, sourceId, description, metadata }: CreateServerBody): CreateServer {
  return {
    name,
    sourceType: sourceType ?? 'api',
    sourceId: sourceId ?? null,
    metadata: { ...metadata, ...(typeof description === 'string' ? { description } : {}) },
  };
}

export function toSyncedChannels({ channels }: SyncChannelsBody): SyncedChannel[] {
  return channels.map(({ sourceId, name, type, description, metadata }) => ({
    sourceId,
    name,
    ...toChannelType(type),
    description,
    metadata,
  }));
}

export function presentServer({ createdAt, updatedAt, ...server }: MessageServerRow): MessageServerView {
  return { ...server, createdAt: iso(createdAt), updatedAt: iso(updatedAt) };
}

/** Repeats the response envelope inside `data`, as the original's client expects (contract 7.2). */
export function nested<T extends object>(inner: T): T & { success: boolean; data: T } {
  return { ...inner, success: true, data: inner };
}

/** @throws AppError VALIDATION_ERROR for an invalid cursor */
export function toServerPage({ limit, cursor }: ListServersQuery): ServerPage {
  const after = parseCursor('cursor', cursor);
  return { ...(limit === undefined ? {} : { limit: Number(limit) }), ...(after ? { after } : {}) };
}

/** @param pages returns all servers after the cursor; called twice, because the response contains the list twice */
export async function presentServers(
  pages: () => AsyncIterable<readonly MessageServerRow[]>,
  { limit }: ServerPage,
): Promise<MessageServerListView> {
  if (limit === undefined) return { messageServers: pagedList(pages, presentServer), servers: pagedList(pages, presentServer) };
  const { rows, more } = await takeFirst(pages(), limit);
  const servers = rows.map(presentServer);
  const last = more ? rows.at(-1) : undefined;
  return { messageServers: servers, servers, nextCursor: last ? encodeCursor({ at: last.createdAt, id: last.id }) : null };
}
