import { Injectable } from '@nestjs/common';
import type { Statement } from '../../core/database/index.js';
import type { JobTable } from '../../core/queue/index.js';
import { byPosition, toRemembered, type ConversationSummary, type RememberedMessage } from './conversation-memory.js';
import { summaryNotFound } from './memory.errors.js';
import { MemoriesRepository } from './repositories/memories.repository.js';
import { SummariesRepository, type MadeSummary, type SummaryKey, type SummaryRow } from './repositories/summaries.repository.js';

/** A summary with its origin. */
export interface SummaryDetails extends ConversationSummary {
  /** Provider and id of the model, `openai/gpt-5`. */
  readonly model: string;
  /** Epoch ms. */
  readonly createdAt: number;
}

/** The newest messages of a room that a summary can begin with. */
const MAX_READ = 600;

/** Summaries of an agent's conversations: what they say, and the jobs that extend them. */
@Injectable()
export class ConversationSummaries {
  constructor(
    private readonly summaries: SummariesRepository,
    private readonly memories: MemoriesRepository,
  ) {}

  /** The jobs: a row for each room that has, or will have, a summary. */
  get table(): JobTable {
    return this.summaries.table;
  }

  /** @throws AppError SUMMARY_NOT_FOUND */
  async require(key: SummaryKey): Promise<SummaryDetails> {
    const { text = null, model, messages = 0, fromSeq = 0, throughSeq = 0, createdAt } = (await this.summaries.find(key)) ?? {};
    if (text === null) throw summaryNotFound(key.roomId);
    return { text, model: model ?? '', messages, fromSeq, throughSeq, createdAt: createdAt ?? 0 };
  }

  /** As `SummariesRepository.request`. */
  request(...job: Parameters<SummariesRepository['request']>): Statement {
    return this.summaries.request(...job);
  }

  /** Due jobs, and when the next becomes due. */
  due(now: number, limit: number): ReturnType<SummariesRepository['due']> {
    return this.summaries.due(now, limit);
  }

  claim(key: SummaryKey, claim: Statement): Promise<SummaryRow | undefined> {
    return this.summaries.claim(key, claim);
  }

  /**
   * The messages that a job has to summarise, oldest first. Of more than 600, only the newest: the work of one job is bounded.
   */
  async unsummarised({ agentId, roomId, throughSeq, untilSeq }: SummaryRow): Promise<RememberedMessage[]> {
    const found = await this.memories.conversation(agentId, roomId, MAX_READ, throughSeq);
    const messages = (found?.rows ?? []).map((row) => toRemembered(row, agentId));
    return messages.filter(({ seq }) => seq <= untilSeq).sort(byPosition);
  }

  find(key: SummaryKey): Promise<SummaryRow | undefined> {
    return this.summaries.find(key);
  }

  store(key: SummaryKey, made: MadeSummary): Statement {
    return this.summaries.store(key, made);
  }
}
