import type { INestApplicationContext } from '@nestjs/common';
import { UnitOfWork } from '../../core/database/index.js';
import { AppError, errorMessage } from '../../core/errors/index.js';
import { cutText } from '../../core/text/index.js';
import { AgentLifecycle, AgentsService } from '../../modules/agents/index.js';
import { ConversationMemory, MemoryImport } from '../../modules/memory/index.js';
import { ConversationImport, parseChannelType, type Channel, type ImportedMessage } from '../../modules/messaging/index.js';
import type { ImportReport } from './report.js';
import { characterOf, epoch, id, instant, json, name, optionalId, text } from './rows.js';
import type { Source, SourceRow } from './source.js';

const PAGE = 500;
const MESSAGES = 100;
const ORIGIN = 'elizaos';

export interface ImportOptions {
  readonly report: ImportReport;
  /** Whether the ids of users are to be trusted, so that agents remember users across conversations. */
  readonly vouched: boolean;
  /** Called with a line about what is being read. */
  readonly progress: (line: string) => void;
}

/** Takes agents, worlds, rooms, channels, messages and memories out of an elizaOS database. */
export class ElizaImport {
  private readonly agents: AgentsService;
  private readonly lifecycle: AgentLifecycle;
  private readonly conversations: ConversationImport;
  private readonly memory: MemoryImport;
  private readonly recording: ConversationMemory;
  private readonly unitOfWork: UnitOfWork;
  /** Ids of the agents whose data are taken. */
  private readonly taken = new Set<string>();
  /** Ids of channels with messages: the agents' rooms of them get their memories from these messages. */
  private readonly recorded = new Set<string>();

  constructor(
    private readonly source: Source,
    app: INestApplicationContext,
    private readonly options: ImportOptions,
  ) {
    const get = { strict: false };
    this.agents = app.get(AgentsService, get);
    this.lifecycle = app.get(AgentLifecycle, get);
    this.conversations = app.get(ConversationImport, get);
    this.memory = app.get(MemoryImport, get);
    this.recording = app.get(ConversationMemory, get);
    this.unitOfWork = app.get(UnitOfWork, get);
  }

  async run(): Promise<void> {
    await this.importAgents();
    await this.importServers();
    await this.importRooms();
    await this.importChannels();
    await this.importMemories();
  }

  private async importAgents(): Promise<void> {
    const { report } = this.options;
    const rows = await this.source.rows('SELECT * FROM agents ORDER BY created_at, id');
    for (const row of rows) {
      const { character, secrets } = characterOf(row);
      const label = text(row['name']);
      const known = this.agents.find(id(row['id']));
      try {
        const agent = known ?? (await this.lifecycle.create(character));
        if (!known && row['enabled'] === true) await this.lifecycle.start(agent.id);
        this.taken.add(agent.id);
        report.count('agents', 1, known ? 0 : 1);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        report.leave(`agent: ${label} (${error.message} ${error.details === error.message ? '' : error.details})`.replace(/ \)$/, ')'));
      }
      if (secrets.length > 0) {
        report.note(`Set the secrets of ${label} again, which elizaOS keeps encrypted: ${secrets.join(', ')}.`);
      }
    }
    this.options.progress(`agents: ${rows.length}`);
  }

  private async importServers(): Promise<void> {
    const { report } = this.options;
    const members = new Map<string, string[]>();
    for (const row of await this.source.rows('SELECT message_server_id, agent_id FROM message_server_agents')) {
      const agentId = id(row['agent_id']);
      if (!this.taken.has(agentId)) continue;
      const serverId = id(row['message_server_id']);
      members.set(serverId, [...(members.get(serverId) ?? []), agentId]);
    }
    const sql = `SELECT id, name, source_type, source_id, metadata, ${epoch('created_at')}, ${epoch('updated_at')} FROM message_servers`;
    for (const row of await this.source.rows(sql)) {
      const serverId = id(row['id']);
      const server = {
        id: serverId,
        name: name(row['name'], 'Server'),
        sourceType: name(row['source_type'], ORIGIN),
        sourceId: name(row['source_id'], null),
        metadata: json(row['metadata']),
        createdAt: instant(row['created_at']),
        updatedAt: instant(row['updated_at']),
      };
      report.count('message servers', 1, (await this.conversations.addServer(server, members.get(serverId) ?? [])) ? 1 : 0);
    }
  }

  private async importRooms(): Promise<void> {
    const { vouched } = this.options;
    await this.ofAgents('worlds', `id, agent_id, name, metadata, message_server_id, ${epoch('created_at')}`, 'worlds', (rows) =>
      this.memory.addWorlds(
        rows.map((row) => ({
          ...this.common(row),
          name: name(row['name'], 'World'),
          sourceType: ORIGIN,
          sourceId: null,
          messageServerId: optionalId(row['message_server_id']),
          metadata: json(row['metadata']),
        })),
      ),
    );
    const room = `id, agent_id, source, type, message_server_id, world_id, name, metadata, channel_id, ${epoch('created_at')}`;
    await this.ofAgents('rooms', room, 'rooms', (rows) =>
      this.memory.addRooms(
        rows.map((row) => ({
          ...this.common(row),
          name: name(row['name'], 'Room'),
          source: name(row['source'], ORIGIN),
          type: cutText(text(row['type']), 16) || 'GROUP',
          worldId: optionalId(row['world_id']),
          channelId: optionalId(row['channel_id']),
          messageServerId: optionalId(row['message_server_id']),
          metadata: json(row['metadata']),
          rememberedSeq: 0,
        })),
      ),
    );
    await this.ofAgents('entities', `id, agent_id, names, metadata, ${epoch('created_at')}`, 'entities', (rows) =>
      this.memory.addEntities(
        rows.map((row) => ({
          ...this.common(row),
          names: namesOf(row['names']),
          metadata: json(row['metadata']),
        })),
      ),
    );
    const participant = `id, room_id, entity_id, agent_id, ${epoch('created_at')}`;
    await this.ofAgents('participants', participant, 'participants', (rows) =>
      this.memory.addParticipants(
        rows
          .filter((row) => row['room_id'] !== null && row['entity_id'] !== null)
          .map((row) => ({
            roomId: id(row['room_id']),
            entityId: id(row['entity_id']),
            agentId: id(row['agent_id']),
            createdAt: instant(row['created_at']),
            vouched: vouched || this.taken.has(id(row['entity_id'])),
          })),
      ),
    );
  }

  private async importChannels(): Promise<void> {
    const { report, progress } = this.options;
    const columns = `id, message_server_id, name, type, source_type, source_id, topic, metadata, ${epoch('created_at')}, ${epoch('updated_at')}`;
    let done = 0;
    for await (const page of this.pages(`SELECT ${columns} FROM channels`, 'id')) {
      for (const row of page) {
        const { channel, isNew } = await this.conversations.addChannel(await this.channelOf(row));
        report.count('channels', 1, isNew ? 1 : 0);
        done += await this.importMessages(String(row['id']), channel, done);
      }
    }
    progress(`messages: ${done}`);
  }

  private async channelOf(row: SourceRow): Promise<Channel> {
    const channelId = id(row['id']);
    const createdAt = instant(row['created_at']);
    const listed = await this.source.rows('SELECT entity_id FROM channel_participants WHERE channel_id = $1', [row['id']]);
    // An agent takes part in a channel when it has a room for it.
    const rooms = await this.source.rows('SELECT DISTINCT agent_id FROM rooms WHERE channel_id = $1 AND agent_id IS NOT NULL', [row['id']]);
    const agents = rooms.map((room) => id(room['agent_id'])).filter((agentId) => this.taken.has(agentId));
    const participants = [...new Set([...listed.map((each) => id(each['entity_id'])), ...agents])].map((entityId) => ({
      entityId,
      kind: this.agents.find(entityId) ? ('agent' as const) : ('user' as const),
      joinedAt: createdAt,
    }));
    const types = parseChannelType(text(row['type'])) ?? { type: 'GROUP', channelType: 'GROUP' as const };
    return {
      id: channelId,
      serverId: id(row['message_server_id']),
      name: name(row['name'], 'Channel'),
      ...types,
      description: text(row['topic']) || null,
      sourceType: name(row['source_type'], null),
      sourceId: name(row['source_id'], null),
      metadata: json(row['metadata']),
      turnPolicy: 'enqueue',
      vouched: this.options.vouched || participants.every(({ kind }) => kind === 'agent'),
      createdAt,
      updatedAt: instant(row['updated_at']),
      participants,
    };
  }

  /** Messages of a channel, oldest first, and what the agents of the channel remember of them. @returns the number of messages */
  private async importMessages(sourceId: string, channel: Channel, before: number): Promise<number> {
    const { report, progress, vouched } = this.options;
    const remembering = channel.participants.flatMap(({ entityId }) => this.agents.find(entityId) ?? []);
    let after = ['-infinity', ''];
    let done = 0;
    for (;;) {
      const page = await this.source.rows(
        `SELECT id, author_id, content, raw_message, in_reply_to_root_message_id, source_type, source_id, metadata,
          ${epoch('created_at')}, CAST(created_at AS text) AS cursor
        FROM central_messages WHERE channel_id = $1 AND (created_at, id) > (CAST($2 AS timestamp), $3)
        ORDER BY created_at, id LIMIT ${MESSAGES}`,
        [sourceId, ...after],
      );
      const last = page.at(-1);
      if (!last) return done;
      after = [String(last['cursor']), String(last['id'])];
      const { stored, added } = await this.conversations.addMessages(page.map((row) => this.messageOf(row, channel, vouched)));
      await this.unitOfWork.commit(remembering.flatMap((agent) => this.recording.record(agent, channel, stored)));
      this.recorded.add(channel.id);
      report.count('messages', page.length, added);
      done += page.length;
      if (Math.floor((before + done) / 10_000) > Math.floor((before + done - page.length) / 10_000)) progress(`messages: ${before + done}`);
    }
  }

  private messageOf(row: SourceRow, channel: Channel, vouched: boolean): ImportedMessage {
    const authorId = id(row['author_id']);
    const isAgent = this.agents.find(authorId) !== undefined;
    const metadata = json(row['metadata']);
    const raw = json(row['raw_message']);
    const createdAt = instant(row['created_at']);
    return {
      id: id(row['id']),
      channelId: channel.id,
      serverId: channel.serverId,
      authorId,
      authorKind: isAgent ? 'agent' : 'user',
      authorName: name(
        this.agents.find(authorId)?.name ?? raw['senderName'] ?? metadata['user_display_name'] ?? metadata['username'],
        null,
      ),
      content: text(row['content']),
      rawMessage: Object.keys(raw).length === 0 ? null : raw,
      sourceType: name(row['source_type'], ORIGIN),
      sourceId: name(row['source_id'], null),
      metadata,
      inReplyTo: optionalId(row['in_reply_to_root_message_id']),
      clientMessageId: null,
      vouched: vouched || isAgent,
      createdAt,
      updatedAt: createdAt,
    };
  }

  private async importMemories(): Promise<void> {
    const { vouched } = this.options;
    const channelOf = new Map<string, string>();
    for (const row of await this.source.rows('SELECT id, channel_id FROM rooms WHERE channel_id IS NOT NULL')) {
      channelOf.set(id(row['id']), id(row['channel_id']));
    }
    const columns = `id, type, content, entity_id, agent_id, room_id, world_id, "unique", metadata, ${epoch('created_at')}`;
    const isKept = (row: SourceRow): boolean => {
      const channelId = channelOf.get(String(optionalId(row['room_id'])));
      return row['type'] !== 'messages' || channelId === undefined || !this.recorded.has(channelId);
    };
    const reason = 'memories of messages, because the agents remember the messages themselves';
    const store = (rows: readonly SourceRow[]): Promise<number> =>
      this.memory.addMemories(
        rows.map((row) => {
          const common = this.common(row);
          const entityId = optionalId(row['entity_id']) ?? common.agentId;
          return {
            ...common,
            roomId: optionalId(row['room_id']) ?? common.agentId,
            entityId,
            worldId: optionalId(row['world_id']),
            type: cutText(text(row['type']), 64) || 'messages',
            content: json(row['content']),
            metadata: json(row['metadata']),
            isUnique: row['unique'] !== false,
            seq: null,
            embeddedBy: null,
            vouched: vouched || this.taken.has(entityId),
          };
        }),
      );
    await this.ofAgents('memories', columns, 'memories', store, { isKept, reason });
  }

  private common(row: SourceRow): { id: string; agentId: string; createdAt: number } {
    return { id: id(row['id']), agentId: id(row['agent_id']), createdAt: instant(row['created_at']) };
  }

  /** Reads a table page by page and stores the rows of the agents that are taken. */
  private async ofAgents(
    table: string,
    columns: string,
    what: string,
    store: (rows: readonly SourceRow[]) => Promise<number>,
    { isKept, reason }: { isKept: (row: SourceRow) => boolean; reason: string } = { isKept: () => true, reason: '' },
  ): Promise<void> {
    const { report, progress } = this.options;
    let done = 0;
    for await (const page of this.pages(`SELECT ${columns} FROM ${table}`, 'id')) {
      const ofTaken = page.filter((row) => row['agent_id'] !== null && this.taken.has(id(row['agent_id'])));
      report.leave(`${what} of agents that were not taken`, page.length - ofTaken.length);
      const rows = ofTaken.filter(isKept);
      report.leave(reason, ofTaken.length - rows.length);
      try {
        report.count(what, rows.length, await store(rows));
      } catch (error) {
        throw new Error(`The ${what} cannot be stored: ${errorMessage(error)}`, { cause: error });
      }
      done += page.length;
    }
    progress(`${what}: ${done}`);
  }

  private async *pages(select: string, key: string): AsyncGenerator<SourceRow[]> {
    let after: unknown;
    for (;;) {
      const where = after === undefined ? '' : `WHERE ${key} > $1`;
      const page = await this.source.rows(`${select} ${where} ORDER BY ${key} LIMIT ${PAGE}`, after === undefined ? [] : [after]);
      if (page.length > 0) yield page;
      if (page.length < PAGE) return;
      after = page.at(-1)?.[key];
    }
  }
}

function namesOf(value: unknown): string[] {
  const names = Array.isArray(value) ? value.map((each) => name(each, null)).filter((each) => each !== null) : [];
  return names.length > 0 ? names : ['Unknown'];
}
