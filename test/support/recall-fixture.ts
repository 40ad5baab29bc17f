import { jest } from '@jest/globals';
import type { Engine } from '../../src/core/database/index.js';
import { DEFAULT_SERVER_ID, idForAgent, newId } from '../../src/core/ids/index.js';
import { append } from '../../src/core/journal/index.js';
import {
  AgentMemory,
  ConversationMemory,
  Recall,
  type MessageToRemember,
  type RecalledMemory,
  type RecallOptions,
  type RecallResult,
} from '../../src/modules/memory/index.js';
import { RecallRowsRepository } from '../../src/modules/memory/recall/recall-rows.repository.js';
import { FakeEmbedding } from './fake-embedding.js';
import { ADA, BOB, createMemoryApp, eventually, isIndexing, type MemoryApp } from './memory-app.js';

export const ANN = { authorId: newId(), authorKind: 'user', authorName: 'Ann' } as const;
export const BEN = { authorId: newId(), authorKind: 'user', authorName: null } as const;
export const ADA_SPEAKS = { authorId: ADA.id, authorKind: 'agent', authorName: 'Ada' } as const;
export const BOB_SPEAKS = { authorId: BOB.id, authorKind: 'agent', authorName: 'Bob' } as const;

export const aChannel = (): { id: string; serverId: string; name: string; channelType: string } => ({
  id: newId(),
  serverId: DEFAULT_SERVER_ID,
  name: 'Chat',
  channelType: 'DM',
});
type Channel = ReturnType<typeof aChannel>;

export function message(
  seq: number,
  content: string,
  author: Pick<MessageToRemember, 'authorId' | 'authorKind' | 'authorName'> & { readonly vouched?: boolean } = ANN,
): MessageToRemember {
  return { id: newId(), seq, content, metadata: {}, createdAt: 1_000_000 + seq, inReplyTo: null, vouched: true, ...author };
}

/** What tests do with Ada's memory. All members can be taken out of it. */
export class RecallFixture {
  test!: MemoryApp;
  model!: FakeEmbedding;
  /** A channel in which nothing has been said. */
  room!: Channel;

  readonly open = async (engine: Engine): Promise<this> => {
    this.model = new FakeEmbedding();
    this.test = await createMemoryApp(engine, this.model);
    this.room = aChannel();
    return this;
  };

  readonly conversation = (): ConversationMemory => this.test.app.get(ConversationMemory, { strict: false });

  /** Records messages of a channel as a turn of Ada does. */
  readonly record = async (channel: Channel, ...messages: MessageToRemember[]): Promise<void> => {
    const turn = {
      messageId: newId(),
      channelId: channel.id,
      serverId: channel.serverId,
      agentId: ADA.id,
      agentName: ADA.name,
      replyId: newId(),
      attempt: 1,
    };
    const statements = this.conversation().record(ADA, channel, messages);
    await this.test.unitOfWork().commit([...statements, append('turn.started', channel.id, turn, this.test.clock.now())]);
  };

  readonly recalled = async (channel: Channel, limit = 10): Promise<string[]> =>
    (await this.conversation().conversation(ADA.id, channel.id, limit)).messages.map(({ text }) => text);

  readonly count = async (table: string, where = '1 = 1'): Promise<number> => {
    const [row] = await this.test.rows<{ n: number | string }>(`SELECT count(*) AS n FROM ${table} WHERE ${where}`);
    return Number(row?.n);
  };

  readonly vectors = (): Promise<number> => this.count('memory_vectors');

  readonly relevant = (query: string, options: Partial<RecallOptions> = {}, agentId = ADA.id): Promise<readonly RecalledMemory[]> =>
    this.test.app.get(Recall, { strict: false }).relevant(agentId, query, { limit: 5, budgetMs: 1000, ...options });

  readonly texts = async (query: string, options: Partial<RecallOptions> = {}): Promise<string[]> =>
    (await this.relevant(query, options)).map(({ text }) => text);

  readonly search = (query: string, options: Partial<RecallOptions> = {}): Promise<RecallResult> =>
    this.test.app.get(Recall, { strict: false }).search(ADA.id, query, { limit: 5, budgetMs: 1000, ...options });

  /** Begins a search whose vectors do not come, and waits until the words were found. */
  readonly searchHeld = async (query: string, options: Partial<RecallOptions> = {}): Promise<{ answer: Promise<RecallResult> }> => {
    const asked = this.model.calls.length;
    const fetching = jest.spyOn(this.test.app.get(RecallRowsRepository, { strict: false }), 'read');
    const answer = this.search(query, options);
    await eventually(() => this.model.calls.length > asked && fetching.mock.results.length > 0);
    await fetching.mock.results[0]?.value;
    fetching.mockRestore();
    await new Promise((resolve) => setImmediate(resolve));
    return { answer };
  };

  /** What may be told before these people. */
  readonly heardBy = (...people: string[]): Pick<RecallOptions, 'audience'> => ({
    audience: async () => ({ rooms: new Set((await this.conversation().roomsSharedBy(ADA.id, people)).map(({ id }) => id)) }),
  });

  /** Lets the server be quiet until nothing waits for a vector any more, and the index in memory has them all. */
  readonly embedAll = (): Promise<void> =>
    eventually(async () => {
      this.test.clock.advance(500);
      return (await this.count('memories', 'embedded_by IS NULL')) === 0 && !isIndexing(this.test);
    });

  readonly remembered = (text: string): Promise<string> =>
    this.test.app.get(AgentMemory, { strict: false }).create(ADA.id, { type: 'facts', content: { text }, metadata: {} });

  readonly idOf = (each: MessageToRemember): string => idForAgent(ADA.id, `${each.id}-${ADA.id}`);

  readonly edit = (each: MessageToRemember, content: string): Promise<unknown> =>
    this.test.api.patch(`/api/memory/${ADA.id}/memories/${this.idOf(each)}`, { content });
}
