import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { audienceOf, type Audience } from './audience.js';
import { textOfJson } from './memory-json.js';
import { MemoriesRepository } from './repositories/memories.repository.js';
import { WordList } from './words.js';

const TEXTS = 500;
const AGENTS = 50;
const REFRESH_MS = 10_000;
// A memory carries the time of its message, and so may come into the database behind a younger one.
const LATECOMERS_MS = 60_000;

interface Held {
  readonly list: WordList;
  newest: number;
  readAt: number;
  reading: Promise<void> | undefined;
}

/** Search by words among an agent's newest 500 memories, for when there is no encoder: cheap, literal, and at most 10 s behind. */
@Injectable()
export class RecentWords {
  private readonly held = new Map<string, Held>();

  constructor(
    private readonly memories: MemoriesRepository,
    private readonly clock: Clock,
  ) {}

  /** Ids of the memories that share the most words with the query, the best first. */
  async find(agentId: string, query: string, count: number, { rooms, exclude }: Audience): Promise<string[]> {
    const held = this.of(agentId);
    if (this.clock.now() - held.readAt >= REFRESH_MS) held.reading ??= this.read(agentId, held);
    await held.reading;
    const admits = (id: string, room: string | null): boolean => exclude?.has(id) !== true && (!rooms || room === null || rooms.has(room));
    return held.list.find(query, count, admits);
  }

  /** For a memory of the agent whose text has changed. */
  forget(agentId: string): void {
    this.held.delete(agentId);
  }

  private of(agentId: string): Held {
    let held = this.held.get(agentId);
    if (!held || held.list.worn) held = { list: new WordList(TEXTS), newest: 0, readAt: -REFRESH_MS, reading: undefined };
    this.held.delete(agentId);
    this.held.set(agentId, held);
    for (const oldest of this.held.keys()) {
      if (this.held.size <= AGENTS) break;
      this.held.delete(oldest);
    }
    return held;
  }

  private async read(agentId: string, held: Held): Promise<void> {
    try {
      const rows = await this.memories.recent(agentId, held.newest - LATECOMERS_MS, TEXTS);
      held.readAt = this.clock.now();
      for (const row of rows.reverse()) {
        held.list.add(row.id, audienceOf(agentId, row), textOfJson(row.content));
        held.newest = Math.max(held.newest, row.created_at);
      }
    } finally {
      held.reading = undefined;
    }
  }
}
