import { IsOptional, IsString, MaxLength } from 'class-validator';
import {
  cursorOf,
  cursorText,
  IfPresent,
  IsCount,
  IsFilledText,
  IsJsonObject,
  IsListOf,
  firstOf,
  pagedList,
} from '../../core/http/index.js';
import { IsChannelType, toChannelType } from './channels.dto.js';
import type { MessageServerRow } from './entities/index.js';
import { iso } from './messages.presenter.js';
import type { ServerPage } from './repositories/servers.repository.js';
import type { CreateServer, SyncedChannel } from './servers.service.js';

const LONGEST_NAME = 255;
const LONGEST_DESCRIPTION = 10_000;
const MOST_SYNCED = 1000;

/** Query of `GET /api/messaging/message-servers`. */
export class ListServersQuery {
  /** Message servers in a page, 1 to 1000; all of them when it is left out. */
  @IfPresent()
  @IsCount(1000)
  limit?: string;

  /** Where the page before ended: its `nextCursor`. */
  @IfPresent()
  @IsString()
  cursor?: string;
}

/** Body of `POST /api/messaging/message-servers`. */
export class CreateServerBody {
  @IsFilledText(LONGEST_NAME)
  name!: string;

  /** The platform that the server mirrors; `api` when it is left out. */
  @IfPresent()
  @IsFilledText(LONGEST_NAME)
  sourceType?: string;

  /** Its id there. */
  @IsOptional()
  @IsFilledText(LONGEST_NAME)
  sourceId?: string | null;

  /** Kept in the metadata. */
  @IsOptional()
  @IsString()
  @MaxLength(LONGEST_DESCRIPTION)
  description?: string | null;

  @IsOptional()
  @IsJsonObject()
  metadata?: Record<string, unknown> | null;
}

/** A channel of the platform that a message server mirrors. */
export class SyncedChannelBody {
  /** Its id there; two with the same one are the same channel. */
  @IsFilledText(LONGEST_NAME)
  sourceId!: string;

  @IsFilledText(LONGEST_NAME)
  name!: string;

  /** The kind of channel, in any spelling that is known. */
  @IfPresent()
  @IsChannelType()
  type?: string;

  @IsOptional()
  @IsString()
  @MaxLength(LONGEST_DESCRIPTION)
  description?: string | null;

  @IfPresent()
  @IsJsonObject()
  metadata?: Record<string, unknown>;
}

/** Body of `POST /api/messaging/message-servers/{messageServerId}/sync-channels`. */
export class SyncChannelsBody {
  @IsListOf(SyncedChannelBody, MOST_SYNCED)
  channels!: SyncedChannelBody[];
}

/** A place that holds channels. */
export class MessageServerView {
  id!: string;
  name!: string;
  /** The platform that the server mirrors. */
  sourceType!: string;
  /** Its id there. */
  sourceId!: string | null;
  metadata!: Record<string, unknown>;
  /** ISO 8601. */
  createdAt!: string;
  /** ISO 8601. */
  updatedAt!: string;
}

/** A message server that was created; `server` repeats it for clients that look there. */
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

/** The message server that this installation uses unless another one is named. */
export class CurrentServerView {
  messageServerId!: string;
}

/** How many channels were created or updated. */
export class SyncedView {
  synced!: number;
  /** Their ids, in the order in which they were sent. */
  channelIds!: string[];
}

export class ServerAgents {
  messageServerId!: string;
  /** Ids of the agents that belong to the server. */
  agents!: string[];
}

/** The agents of a message server; `data` repeats them for clients that look there. */
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

/** That an agent joined or left a message server; `data` repeats it for clients that look there. */
export class ServerAgentView extends ServerAgent {
  /** Always true. */
  success!: boolean;
  data!: ServerAgent;
}

export class AgentServers {
  agentId!: string;
  /** Ids of the message servers that the agent belongs to. */
  messageServers!: string[];
}

/** The message servers of an agent; `data` repeats them for clients that look there. */
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

/** The original's client types the answer's envelope a second time inside its data (contract 7.2). */
export function nested<T extends object>(inner: T): T & { success: boolean; data: T } {
  return { ...inner, success: true, data: inner };
}

/** @throws AppError VALIDATION_ERROR naming the cursor */
export function toServerPage({ limit, cursor }: ListServersQuery): ServerPage {
  const after = cursorOf('cursor', cursor);
  return { ...(limit === undefined ? {} : { limit: Number(limit) }), ...(after ? { after } : {}) };
}

/** @param pages all servers behind the cursor, each time that it is called: the list is shown twice */
export async function presentServers(
  pages: () => AsyncIterable<readonly MessageServerRow[]>,
  { limit }: ServerPage,
): Promise<MessageServerListView> {
  if (limit === undefined) return { messageServers: pagedList(pages, presentServer), servers: pagedList(pages, presentServer) };
  const { rows, more } = await firstOf(pages(), limit);
  const servers = rows.map(presentServer);
  const last = more ? rows.at(-1) : undefined;
  return { messageServers: servers, servers, nextCursor: last ? cursorText({ at: last.createdAt, id: last.id }) : null };
}
