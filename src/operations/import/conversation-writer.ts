import type { INestApplicationContext } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { UnitOfWork } from '../../core/database/index.js';
import { DEFAULT_SERVER_ID, InstallationIds } from '../../core/ids/index.js';
import type { Agent } from '../../modules/agents/index.js';
import { ConversationMemory } from '../../modules/memory/index.js';
import {
  ConversationImport,
  MAX_MESSAGE_LENGTH,
  parseChannelType,
  type Channel,
  type ImportedMessage,
} from '../../modules/messaging/index.js';
import type { ForeignConversation, ForeignMessage } from './foreign.js';
import type { ImportReport } from './report.js';
import { name } from './rows.js';

const MESSAGES = 100;

/** The person whose conversations are imported. */
export interface Person {
  readonly id: string;
  readonly name: string | null;
}

/**
 * Stores conversations as direct channels of a person and an agent, with the times of their messages, and as what the agent remembers. Ids are
 * derived from those of the other program, so a conversation that is stored again gets what is new.
 */
export class ConversationWriter {
  private readonly conversations: ConversationImport;
  private readonly recording: ConversationMemory;
  private readonly unitOfWork: UnitOfWork;
  private readonly ids: InstallationIds;
  private readonly clock: Clock;

  constructor(
    app: INestApplicationContext,
    private readonly report: ImportReport,
  ) {
    const get = { strict: false };
    this.conversations = app.get(ConversationImport, get);
    this.recording = app.get(ConversationMemory, get);
    this.unitOfWork = app.get(UnitOfWork, get);
    this.ids = app.get(InstallationIds, get);
    this.clock = app.get(Clock, get);
  }

  /** @returns the number of new messages */
  async store(conversation: ForeignConversation, agent: Agent, person: Person): Promise<number> {
    const { messages } = conversation;
    if (messages.length === 0) {
      this.report.leave('conversations without messages');
      return 0;
    }
    const { channel, isNew } = await this.conversations.addChannel(this.channelOf(conversation, agent, person));
    this.report.count('conversations', 1, isNew ? 1 : 0);
    let added = 0;
    let at = channel.createdAt;
    const seen = new Map<string, number>();
    const drafts = messages.flatMap((message) => {
      at = message.at ?? at;
      const before = seen.get(message.id) ?? 0;
      seen.set(message.id, before + 1);
      const id = before === 0 ? message.id : `${message.id} (${before + 1})`;
      return this.draftsOf({ ...message, id }, at, { channel, agent, person, origin: conversation.origin });
    });
    for (let index = 0; index < drafts.length; index += MESSAGES) {
      const page = await this.conversations.addMessages(drafts.slice(index, index + MESSAGES));
      await this.unitOfWork.commit(this.recording.record(agent, channel, page.stored));
      added += page.added;
    }
    this.report.count('messages', drafts.length, added);
    return added;
  }

  private channelOf({ origin, id, title, at, messages }: ForeignConversation, agent: Agent, person: Person): Channel {
    const createdAt = at ?? messages.find((message) => message.at !== null)?.at ?? this.clock.now();
    return {
      id: this.ids.of('imported conversation', [origin, agent.id, person.id, id]),
      serverId: DEFAULT_SERVER_ID,
      name: name(title, origin),
      ...parseChannelType('DM')!,
      description: null,
      sourceType: origin,
      sourceId: name(id, null),
      metadata: { user1: person.id, user2: agent.id, imported: origin },
      turnPolicy: 'enqueue',
      vouched: true,
      createdAt,
      updatedAt: messages.reduce((latest, message) => Math.max(latest, message.at ?? 0), createdAt),
      participants: [
        { entityId: person.id, kind: 'user', joinedAt: createdAt },
        { entityId: agent.id, kind: 'agent', joinedAt: createdAt },
      ],
    };
  }

  private draftsOf(
    { id, isAgent, text }: ForeignMessage,
    at: number,
    { channel, agent, person, origin }: { channel: Channel; agent: Agent; person: Person; origin: string },
  ): ImportedMessage[] {
    const parts = partsOf(text);
    if (parts.length > 1) {
      this.report.note(`Messages with more than ${MAX_MESSAGE_LENGTH} characters are several messages, which follow one another.`);
    }
    return parts.map((content, part) => ({
      id: this.ids.of('imported message', [channel.id, id, `${part}`]),
      channelId: channel.id,
      serverId: channel.serverId,
      authorId: isAgent ? agent.id : person.id,
      authorKind: isAgent ? ('agent' as const) : ('user' as const),
      authorName: isAgent ? agent.name : person.name,
      content,
      rawMessage: null,
      sourceType: origin,
      sourceId: name(id, null),
      metadata: {},
      inReplyTo: null,
      clientMessageId: null,
      vouched: true,
      createdAt: at,
      updatedAt: at,
    }));
  }
}

/** A text in parts that each fit into a message, cut at the ends of lines where there are any. Together they are the text. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + MAX_MESSAGE_LENGTH, text.length);
    if (end < text.length) {
      const line = text.lastIndexOf('\n', end - 1) + 1;
      if (line > start + MAX_MESSAGE_LENGTH / 2) end = line;
      else if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) end -= 1;
    }
    parts.push(text.substring(start, end));
    start = end;
  }
  return parts;
}
