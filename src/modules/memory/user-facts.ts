import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import type { Statement, Transaction } from '../../core/database/index.js';
import { idForAgent, newId } from '../../core/ids/index.js';
import { append } from '../../core/journal/index.js';
import type { MemoryRow } from './entities/index.js';
import { parseReplyTo, parseText, textOf } from './memory-json.js';
import { FactsRepository, type FactRow } from './repositories/facts.repository.js';
import { MemoriesRepository } from './repositories/memories.repository.js';
import { MemoryVersionsRepository } from './repositories/memory-versions.repository.js';
import { MemoryIndexer } from './vectors/memory-indexer.js';

/** Facts about one user, those that no longer hold included. */
const MAX_FACTS = 100;
// Positions decide what is read; the time only spares reading the whole room. A clock may have been set back.
const CLOCK_SLACK_MS = 86_400_000;
const AUTHOR = 'extraction';

/** What an agent knows about a user from what that user said. */
export interface UserFact {
  /** Id of the memory. */
  readonly id: string;
  readonly text: string;
  /** A short topic; may be empty. */
  readonly key: string;
  /** When the user said so, epoch ms. */
  readonly validFrom: number;
  /** When the user said otherwise, epoch ms; null while the fact holds. */
  readonly validUntil: number | null;
  /** Id of the fact whose value it changed; null when it changed none. */
  readonly replaces: string | null;
  /** Ids of the memories of the messages that it comes from. */
  readonly sources: readonly string[];
}

/** A message of a conversation between the agent and one user. */
export interface UserStatement {
  readonly memoryId: string;
  readonly role: 'user' | 'agent';
  readonly text: string;
  /** Position in the channel. */
  readonly seq: number;
  /** Epoch ms. */
  readonly at: number;
}

export interface FactChanges {
  readonly agentId: string;
  readonly userId: string;
  readonly channelId: string;
  readonly add: readonly (Pick<UserFact, 'text' | 'key' | 'validFrom' | 'replaces'> & { readonly sources: readonly UserStatement[] })[];
  /** Facts as they were read, with the instant until which they held. */
  readonly end: readonly { readonly fact: UserFact; readonly until: number; readonly sources: readonly UserStatement[] }[];
}

/** Facts about users, as memories of type `facts`. Each is deleted with the first of the messages that it comes from. */
@Injectable()
export class UserFacts {
  constructor(
    private readonly facts: FactsRepository,
    private readonly memories: MemoriesRepository,
    private readonly versions: MemoryVersionsRepository,
    private readonly indexer: MemoryIndexer,
    private readonly clock: Clock,
  ) {}

  /** The facts about a user, those that no longer hold included; at most 100, newest first. */
  async of(agentId: string, userId: string): Promise<UserFact[]> {
    return (await this.facts.ofUser(agentId, userId)).map(toFact).sort(newestFirst);
  }

  /**
   * What a user, vouched for, said in a channel after a position, oldest first, with the agent's replies to that.
   *
   * @param after `at` is the time of the message at that position, or before; epoch ms
   */
  async said(
    { agentId, userId, channelId }: Pick<FactChanges, 'agentId' | 'userId' | 'channelId'>,
    after: { readonly seq: number; readonly at: number },
    limit: number,
  ): Promise<UserStatement[]> {
    const rows = await this.facts.said(agentId, userId, idForAgent(agentId, channelId), after.seq, after.at - CLOCK_SLACK_MS, limit);
    const own = new Set(rows.filter((row) => row.entity_id === userId).map(({ id }) => id));
    return rows
      .filter((row) => row.entity_id === userId || own.has(parseReplyTo(row.content)))
      .map((row) => ({
        memoryId: row.id,
        role: row.entity_id === agentId ? 'agent' : 'user',
        text: parseText(row.content),
        seq: Number(row.seq),
        at: Number(row.created_at),
      }));
  }

  /**
   * Statements that store changes, read in the transaction that commits them. What rests on a message that was changed or deleted in the
   * meantime is left out, and so is a change of a fact that was itself changed or deleted. Call `notifyStored` after the commit.
   */
  async changesIn(tx: Transaction, { agentId, userId, channelId, add, end }: FactChanges): Promise<Statement[]> {
    const read = [...add, ...end].flatMap(({ sources }) => sources);
    const ids = new Set([...read.map(({ memoryId }) => memoryId), ...end.map(({ fact }) => fact.id)]);
    const stored = new Map((await this.memories.findAllIn(tx, [...ids])).map((row) => [row.id, row]));
    const isAsRead = (id: string, text: string): boolean => {
      const row = stored.get(id);
      return row !== undefined && textOf(row.content) === text;
    };
    const rests = (sources: readonly UserStatement[]): boolean => sources.every(({ memoryId, text }) => isAsRead(memoryId, text));
    const ended = end.filter(
      ({ fact, sources }) => rests(sources) && isAsRead(fact.id, fact.text) && untilOf(stored.get(fact.id)?.metadata) === null,
    );
    const replaceable = new Set(ended.map(({ fact }) => fact.id));
    const added = add.filter(({ sources, replaces }) => rests(sources) && (replaces === null || replaceable.has(replaces)));
    const roomId = idForAgent(agentId, channelId);
    const rows = added.map((fact) =>
      this.rowOf(fact, { agentId, userId, roomId, worldId: stored.get(fact.sources[0]?.memoryId ?? '')?.worldId }),
    );
    return [
      ...(ended.length === 0 ? [] : this.versions.keep([...replaceable], AUTHOR, this.clock.now())),
      ...ended.map(({ fact, until }) => {
        const metadata = { ...stored.get(fact.id)?.metadata, validUntil: until };
        return this.memories.replaceMetadata(agentId, fact.id, metadata);
      }),
      ...(await this.makeRoomFor(tx, rows.length, { agentId, userId })),
      ...this.memories.insertAll(rows),
      ...rows.flatMap(({ id }, index) =>
        this.facts.link(
          id,
          (added[index]?.sources ?? []).map(({ memoryId }) => memoryId),
        ),
      ),
    ];
  }

  /** Has stored facts embedded. */
  notifyStored(): void {
    this.indexer.notifyActivity();
  }

  private rowOf(
    { text, sources, ...fact }: FactChanges['add'][number],
    { userId, worldId, ...own }: { agentId: string; userId: string; roomId: string; worldId?: string | null },
  ): MemoryRow {
    const ids = sources.map(({ memoryId }) => memoryId);
    return {
      id: newId(),
      ...own,
      entityId: userId,
      worldId: worldId ?? null,
      type: 'facts',
      content: { text },
      metadata: { type: 'fact', source: AUTHOR, ...fact, validUntil: null, sources: ids },
      isUnique: true,
      seq: null,
      embeddedBy: null,
      vouched: true,
      createdAt: this.clock.now(),
    };
  }

  /** Deletes what is too much: first the facts that ended first, then the oldest. */
  private async makeRoomFor(
    tx: Transaction,
    count: number,
    { agentId, userId }: { agentId: string; userId: string },
  ): Promise<Statement[]> {
    if (count === 0) return [];
    const known = (await this.facts.ofUser(agentId, userId, tx)).map(toFact);
    const excess = known.length + count - MAX_FACTS;
    if (excess <= 0) return [];
    const deleted = known
      .sort((a, b) => (a.validUntil ?? Infinity) - (b.validUntil ?? Infinity) || a.validFrom - b.validFrom)
      .slice(0, excess)
      .map(({ id }) => id);
    return [this.memories.deleteAll(deleted), append('memory.changed', null, { agentId, memoryId: null, deleted }, this.clock.now())];
  }
}

function newestFirst(a: UserFact, b: UserFact): number {
  return b.validFrom - a.validFrom || (a.id < b.id ? -1 : 1);
}

/** Callers may change a fact's metadata, so their shape is not trusted. */
function toFact({ id, content, metadata, sources, createdAt }: FactRow): UserFact {
  const { key, validFrom, replaces } = metadata;
  return {
    id,
    text: textOf(content),
    key: typeof key === 'string' ? key : '',
    validFrom: instantOf(validFrom) ?? createdAt,
    validUntil: untilOf(metadata),
    replaces: typeof replaces === 'string' ? replaces : null,
    sources: sources.split(','),
  };
}

function untilOf(metadata: Readonly<Record<string, unknown>> = {}): number | null {
  return instantOf(metadata['validUntil']) ?? null;
}

/** A value that `Date` accepts. */
function instantOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= 8.64e15 ? value : undefined;
}
