import { Injectable } from '@nestjs/common';
import type { Statement } from '../../core/database/index.js';
import { idForAgent } from '../../core/ids/index.js';
import { parseOrigin, parseText } from './memory-json.js';
import { truncateName, defaultEntityName } from './entity-names.js';
import { MemoriesRepository, type ConversationRow, type RoomOfConversation } from './repositories/memories.repository.js';
import { RoomsRepository, type NewRoom, type SharedRoom } from './repositories/rooms.repository.js';
import { WorldsRepository } from './repositories/worlds.repository.js';
import type { MemoryRow } from './entities/index.js';

/** A channel message as an agent remembers it; its text is the edited one when the memory was edited. */
export interface RememberedMessage {
  readonly memoryId: string;
  /** Id of the recorded message; empty when an edit of the memory has removed it. */
  readonly messageId: string;
  /** `agent` for the agent's own messages; messages of other agents are `user`. */
  readonly role: 'user' | 'agent';
  readonly authorId: string;
  readonly authorName: string | null;
  readonly text: string;
  /** Epoch ms. */
  readonly at: number;
  /** Position in the channel. */
  readonly seq: number;
  /** Whether the message was sent with attachments. */
  readonly hasFiles: boolean;
}

/** The summary of a conversation. */
export interface ConversationSummary {
  readonly text: string;
  /** Number of messages that it summarises. */
  readonly messages: number;
  /** Positions in the channel of the first and the last of them. */
  readonly fromSeq: number;
  readonly throughSeq: number;
}

/** What an agent remembers of a channel. */
export interface RememberedConversation {
  /** Oldest first. */
  readonly messages: readonly RememberedMessage[];
  /** The channel position up to which the agent has recorded; 0 for none. */
  readonly rememberedSeq: number;
  /** Up to 1000 authors, including agents, of the messages that the agent has recorded. */
  readonly participants: readonly string[];
  /** Of the beginning of the conversation; absent while there is none. */
  readonly summary?: ConversationSummary;
}

export interface RememberingAgent {
  readonly id: string;
  readonly name: string;
}

export interface RememberedChannel {
  readonly id: string;
  readonly serverId: string;
  readonly name: string;
  readonly channelType: string;
}

export interface MessageToRemember {
  readonly id: string;
  /** Position in the channel; for a reply without a position yet, that of the message replied to. */
  readonly seq: number;
  readonly authorId: string;
  readonly authorKind: 'user' | 'agent';
  readonly authorName: string | null;
  readonly content: string;
  readonly rawMessage?: Record<string, unknown> | null;
  readonly metadata: Record<string, unknown>;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly inReplyTo: string | null;
  /** Whether the sender's credential vouched for the author. */
  readonly vouched: boolean;
}

/** `source` of rooms that follow a channel. */
const SOURCE = 'client_chat';
const MAX_CACHED_ROOMS = 10_000;

interface CachedRoom {
  /** Whether each participant is vouched; undefined when none is. */
  readonly participants: ReadonlyMap<string, boolean> | undefined;
  readonly rememberedSeq: number;
}

/** An agent's memories of its channels (contract 5.4, 5.9): one room per channel. */
@Injectable()
export class ConversationMemory {
  /**
   * The most recently read rooms. A turn reads the conversation before it records, so `record` omits only statements for rows that are
   * committed.
   */
  private readonly cached = new Map<string, CachedRoom>();

  constructor(
    private readonly memories: MemoriesRepository,
    private readonly rooms: RoomsRepository,
    private readonly worlds: WorldsRepository,
  ) {}

  /** The newest `limit` messages that the agent has recorded of a channel. */
  async conversation(agentId: string, channelId: string, limit: number): Promise<RememberedConversation> {
    const roomId = idForAgent(agentId, channelId);
    const found = await this.memories.conversation(agentId, roomId, limit);
    const participants = parseParticipants(found?.room.participants ?? '');
    const rememberedSeq = Number(found?.room.remembered_seq ?? 0);
    this.cache(roomId, { participants: [...participants.values()].includes(true) ? participants : undefined, rememberedSeq });
    const messages = (found?.rows ?? []).map((row) => toRemembered(row, agentId));
    return {
      messages: messages.sort(byPosition),
      rememberedSeq,
      participants: [...participants.keys()],
      ...(found && summaryOf(found.room)),
    };
  }

  /** `rememberedSeq` when the conversation was last read here; 0 when it was not. It is lower only after the agent has forgotten messages. */
  lastRememberedSeq(agentId: string, channelId: string): number {
    return this.cached.get(idForAgent(agentId, channelId))?.rememberedSeq ?? 0;
  }

  /**
   * Statements that record messages of a channel and advance the room's `rememberedSeq` to the highest position among them. They
   * create the world, room, entities and participants that do not exist. Existing memories stay unchanged.
   */
  record(agent: RememberingAgent, channel: RememberedChannel, messages: readonly MessageToRemember[]): Statement[] {
    const last = messages.at(-1);
    if (!last) return [];
    const room = this.roomOf(agent, channel, Math.max(...messages.map(({ seq }) => seq)), last.createdAt);
    const known = this.cached.get(room.id)?.participants;
    const authors = new Map<string, NewParticipant>();
    for (const { authorId, authorName, vouched } of messages) {
      authors.set(authorId, { name: authorName, vouched: vouched || authors.get(authorId)?.vouched === true });
    }
    if (!known || authors.has(agent.id)) authors.set(agent.id, { name: agent.name, vouched: true });
    return [
      ...(known ? [] : [this.worldOf(room)]),
      this.rooms.upsertRemembered(room),
      // Sorted, so that two processes that insert the same participants cannot deadlock.
      ...[...authors.keys()]
        .filter((entityId) => known?.get(entityId) !== true && known?.get(entityId) !== authors.get(entityId)?.vouched)
        .sort()
        .flatMap((entityId) => this.insertParticipant(room, entityId, authors.get(entityId))),
      ...this.memories.insertAll(messages.map((message) => memoryOf(room, message))),
    ];
  }

  /** The channel that an agent's room follows; undefined when the room does not exist or follows none. */
  channelOf(agentId: string, roomId: string): Promise<string | undefined> {
    return this.rooms.channelOf(roomId, agentId);
  }

  /** The agent's rooms in which all these entities are vouched participants, with the channels that the rooms follow. */
  roomsSharedBy(agentId: string, people: readonly string[]): Promise<SharedRoom[]> {
    return this.rooms.sharedBy(people, agentId);
  }

  private roomOf(agent: RememberingAgent, channel: RememberedChannel, rememberedSeq: number, createdAt: number): NewRoom {
    return {
      id: idForAgent(agent.id, channel.id),
      agentId: agent.id,
      name: truncateName(channel.name),
      source: SOURCE,
      type: channel.channelType,
      worldId: idForAgent(agent.id, channel.serverId),
      channelId: channel.id,
      messageServerId: channel.serverId,
      metadata: {},
      rememberedSeq,
      createdAt,
    };
  }

  private worldOf({ worldId, agentId, messageServerId, createdAt }: NewRoom): Statement {
    const name = `Message server ${messageServerId?.slice(0, 8)}`;
    const source = { sourceType: SOURCE, sourceId: messageServerId };
    return this.worlds.insert({ id: worldId ?? agentId, agentId, name, ...source, messageServerId, metadata: {}, createdAt });
  }

  private insertParticipant(
    { id: roomId, agentId, createdAt }: NewRoom,
    entityId: string,
    { name, vouched }: NewParticipant = { name: null, vouched: false },
  ): Statement[] {
    return [
      this.rooms.insertEntity({ id: entityId, agentId, names: [truncateName(name ?? defaultEntityName(entityId))], createdAt }),
      this.rooms.insertParticipant(roomId, entityId, agentId, createdAt, vouched),
    ];
  }

  private cache(roomId: string, room: CachedRoom): void {
    this.cached.delete(roomId);
    this.cached.set(roomId, room);
    if (this.cached.size <= MAX_CACHED_ROOMS) return;
    for (const oldest of this.cached.keys()) {
      this.cached.delete(oldest);
      break;
    }
  }
}

function summaryOf({ text, messages, from_seq, through_seq }: RoomOfConversation): Pick<RememberedConversation, 'summary'> {
  if (text === null) return {};
  return { summary: { text, messages: messages ?? 0, fromSeq: Number(from_seq), throughSeq: Number(through_seq) } };
}

/** By id, whether each is vouched. */
function parseParticipants(text: string): Map<string, boolean> {
  return new Map(
    text
      .split(',')
      .filter((each) => each !== '')
      .map((each) => [each.slice(0, -1), each.endsWith('+')]),
  );
}

interface NewParticipant {
  readonly name: string | null;
  readonly vouched: boolean;
}

/** The agent's memory of a message (contract 5.9). */
export function memoryId(agentId: string, messageId: string): string {
  return idForAgent(agentId, `${messageId}-${agentId}`);
}

function memoryOf(room: NewRoom, message: MessageToRemember): MemoryRow {
  const { agentId, channelId } = room;
  const attachments = message.rawMessage?.['attachments'] ?? message.metadata['attachments'];
  return {
    id: memoryId(agentId, message.id),
    agentId,
    roomId: room.id,
    entityId: message.authorId,
    worldId: room.worldId,
    type: 'messages',
    content: {
      text: message.content,
      source: SOURCE,
      channelType: room.type,
      ...(message.inReplyTo === null ? {} : { inReplyTo: memoryId(agentId, message.inReplyTo) }),
      ...(attachments === undefined ? {} : { attachments }),
    },
    metadata: {
      type: 'message',
      messageId: message.id,
      channelId,
      authorId: message.authorId,
      authorName: message.authorName,
      authorKind: message.authorKind,
      timestamp: message.createdAt,
    },
    isUnique: true,
    seq: message.seq,
    embeddedBy: null,
    vouched: message.vouched,
    createdAt: message.createdAt,
  };
}

/** By position; a reply is recorded at the position of the message that it replies to and follows that message. */
export function byPosition(a: RememberedMessage, b: RememberedMessage): number {
  return a.seq - b.seq || Number(a.role === 'agent') - Number(b.role === 'agent') || a.at - b.at;
}

export function toRemembered(row: ConversationRow, agentId: string): RememberedMessage {
  return {
    memoryId: row.id,
    ...parseOrigin(row.metadata),
    role: row.entity_id === agentId ? 'agent' : 'user',
    authorId: row.entity_id,
    text: parseText(row.content),
    at: Number(row.created_at),
    seq: Number(row.seq),
    hasFiles: row.content.includes('"attachments"'),
  };
}
