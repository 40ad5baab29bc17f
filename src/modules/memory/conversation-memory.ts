import { Injectable } from '@nestjs/common';
import type { Statement, Transaction } from '../../core/database/index.js';
import { idForAgent } from '../../core/ids/index.js';
import { originOfJson, textOf, textOfJson } from './memory-json.js';
import { asName, nameless } from './names.js';
import { MemoriesRepository, type ConversationRow } from './repositories/memories.repository.js';
import { RoomsRepository, type NewRoom } from './repositories/rooms.repository.js';
import { VectorsRepository } from './repositories/vectors.repository.js';
import { WorldsRepository } from './repositories/worlds.repository.js';
import type { MemoryRow } from './entities/index.js';

/** A channel message as an agent remembers it; its text is the edited one when the memory was edited. */
export interface RememberedMessage {
  readonly memoryId: string;
  /** The message that was recorded; empty when an edit of the memory has removed it. */
  readonly messageId: string;
  /** `agent` is the remembering agent itself; what other agents said is `user`. */
  readonly role: 'user' | 'agent';
  readonly authorId: string;
  readonly authorName: string | null;
  readonly text: string;
  /** Epoch ms. */
  readonly at: number;
  /** Position in the channel. */
  readonly seq: number;
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
  /** Position in the channel; for a reply that has none yet, that of the message it answers. */
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
  /** Whether the credential that it came with vouched for its author. */
  readonly vouched: boolean;
}

/** Where a room that follows a channel says it comes from. */
const SOURCE = 'client_chat';
const KNOWN_ROOMS = 10_000;

/** An agent's own record of what was said in its channels (contract 5.4, 5.9): one room for each channel. */
@Injectable()
export class ConversationMemory {
  /**
   * Vouched participants in the committed rows of the rooms that were read last. A turn reads the conversation
   * before it records, so that only what the database has confirmed is left out of the statements.
   */
  private readonly known = new Map<string, ReadonlySet<string>>();

  constructor(
    private readonly memories: MemoriesRepository,
    private readonly rooms: RoomsRepository,
    private readonly worlds: WorldsRepository,
    private readonly vectors: VectorsRepository,
  ) {}

  /**
   * What the agent has recorded of a channel: the newest `limit` messages, oldest first, and the position in the
   * channel up to which it has recorded (0 when it has not begun).
   */
  async conversation(agentId: string, channelId: string, limit: number): Promise<{ messages: RememberedMessage[]; rememberedSeq: number }> {
    const roomId = idForAgent(agentId, channelId);
    const rows = await this.memories.conversation(agentId, roomId, limit);
    const messages = rows.filter((row) => row.id !== null).map((row) => toRemembered(row, agentId));
    this.note(roomId, rows);
    return { messages: messages.sort(asSaid), rememberedSeq: Number(rows[0]?.remembered_seq ?? 0) };
  }

  /**
   * Statements for a unit of work that record messages of a channel and move the room's mark to the highest position
   * among them, never back. World, room, entities and participants are created when they are missing. What was
   * recorded before stays as it is.
   */
  record(agent: RememberingAgent, channel: RememberedChannel, messages: readonly MessageToRemember[]): Statement[] {
    const last = messages.at(-1);
    if (!last) return [];
    const room = this.roomOf(agent, channel, Math.max(...messages.map(({ seq }) => seq)), last.createdAt);
    const known = this.known.get(room.id);
    const authors = new Map<string, Newcomer>();
    for (const { authorId, authorName, vouched } of messages) {
      authors.set(authorId, { name: authorName, vouched: vouched || authors.get(authorId)?.vouched === true });
    }
    if (!known || authors.has(agent.id)) authors.set(agent.id, { name: agent.name, vouched: true });
    return [
      ...(known ? [] : [this.worldOf(room)]),
      this.rooms.remember(room),
      // In one order everywhere, so that two processes that meet the same people do not wait for each other in a circle.
      ...[...authors.keys()]
        .filter((entityId) => !known?.has(entityId))
        .sort()
        .flatMap((entityId) => this.newcomer(room, entityId, authors.get(entityId))),
      ...messages.map((message) => this.memories.insert(memoryOf(room, message))),
    ];
  }

  /** Statements that give a changed message's text to the agents that have recorded it, to be embedded anew. */
  async rephrase(
    tx: Transaction,
    agentIds: readonly string[],
    message: { id: string; content: string; vouched: boolean },
  ): Promise<Statement[]> {
    const rows = await this.memories.findAllIn(
      tx,
      agentIds.map((agentId) => memoryId(agentId, message.id)),
    );
    return rows
      .filter((row) => row.id === memoryId(row.agentId, message.id) && textOf(row.content) !== message.content)
      .flatMap((row) => [
        this.memories.update({
          ...row,
          content: { ...row.content, text: message.content },
          vouched: row.vouched && message.vouched,
          embeddedBy: null,
        }),
        this.vectors.delete(row.id),
      ]);
  }

  /** The channel that an agent's room follows; undefined when there is no such room, or it follows none. */
  channelOf(agentId: string, roomId: string): Promise<string | undefined> {
    return this.rooms.channelOf(roomId, agentId);
  }

  /** Authors in a channel as far as the agent has recorded it, agents too. */
  speakersIn(agentId: string, channelId: string): Promise<string[]> {
    return this.rooms.entitiesIn(idForAgent(agentId, channelId), agentId);
  }

  /** The agent's rooms in which all these people take part and are vouched for, with the channels that they follow. */
  roomsSharedBy(agentId: string, people: readonly string[]): Promise<{ id: string; channelId: string | null }[]> {
    return this.rooms.sharedBy(people, agentId);
  }

  /** Statements for those who no longer take part in a channel. */
  leave(channelId: string, entityIds: readonly string[]): Statement[] {
    return entityIds.map((entityId) => this.rooms.removeFromChannel(channelId, entityId));
  }

  /** Statements that make agents forget what was said in a channel. */
  forgetChannel(channelId: string): Statement[] {
    return [this.memories.deleteOfChannel(channelId)];
  }

  /** Statements that take agents' rooms of a channel away. */
  forgetRooms(channelId: string): Statement[] {
    return [this.rooms.deleteOfChannel(channelId)];
  }

  /** Statements that make an agent forget one message. */
  forgetMessage(agentId: string, messageId: string): Statement[] {
    return [this.memories.deleteOf(agentId, memoryId(agentId, messageId))];
  }

  private roomOf(agent: RememberingAgent, channel: RememberedChannel, rememberedSeq: number, createdAt: number): NewRoom {
    return {
      id: idForAgent(agent.id, channel.id),
      agentId: agent.id,
      name: asName(channel.name),
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

  private newcomer(
    { id: roomId, agentId, createdAt }: NewRoom,
    entityId: string,
    { name, vouched }: Newcomer = { name: null, vouched: false },
  ): Statement[] {
    return [
      this.rooms.insertEntity({ id: entityId, agentId, names: [asName(name ?? nameless(entityId))], createdAt }),
      this.rooms.insertParticipant(roomId, entityId, agentId, createdAt, vouched),
    ];
  }

  private note(roomId: string, rows: readonly ConversationRow[]): void {
    this.known.delete(roomId);
    const taking = rows.filter((row) => Boolean(row.takes_part)).map((row) => row.entity_id);
    if (taking.length === 0) return;
    this.known.set(roomId, new Set(taking));
    if (this.known.size <= KNOWN_ROOMS) return;
    for (const oldest of this.known.keys()) {
      this.known.delete(oldest);
      break;
    }
  }
}

interface Newcomer {
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

/** By position; a reply is recorded at the position of its question and stands behind it. */
function asSaid(a: RememberedMessage, b: RememberedMessage): number {
  return a.seq - b.seq || Number(a.role === 'agent') - Number(b.role === 'agent') || a.at - b.at;
}

function toRemembered(row: ConversationRow, agentId: string): RememberedMessage {
  return {
    memoryId: row.id ?? '',
    ...originOfJson(row.metadata),
    role: row.entity_id === agentId ? 'agent' : 'user',
    authorId: row.entity_id,
    text: textOfJson(row.content),
    at: Number(row.created_at),
    seq: Number(row.seq),
  };
}
