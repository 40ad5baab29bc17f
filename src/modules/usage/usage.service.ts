import { Injectable } from '@nestjs/common';
import { inBuckets, Reader, tableOf, type BucketRange, type SqlValue, type Statement } from '../../core/database/index.js';
import { newId } from '../../core/ids/index.js';
import { cutText } from '../../core/text/index.js';
import { UsageRow } from './entities/usage.entity.js';
import type { BucketUsage, ExtractionUsage, TurnUsage, UsageFilter, UsageSum } from './usage.types.js';

const MAX_NAME_LENGTH = 255;
const USAGE = tableOf(UsageRow);
const SUM = `SELECT count(CASE WHEN kind = 'turn' THEN 1 END) AS turns, sum(calls) AS calls, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
  sum(duration_ms) AS duration_ms FROM usage WHERE at >= ?`;
const DELETE_OF_AGENT = 'DELETE FROM usage WHERE id IN (SELECT id FROM usage WHERE agent_id = ? LIMIT ?)';
const DELETE_BEFORE = 'DELETE FROM usage WHERE id IN (SELECT id FROM usage WHERE at < ? LIMIT ?)';

// Names are settings of agents and counts are what services sent. PostgreSQL refuses what does not fit its columns, and with the row the
// end of the turn, which then would be tried again and again.
const nameOf = (text: string | null): string | null => (text === null ? null : cutText(text.replaceAll('\0', ''), MAX_NAME_LENGTH));
const countOf = (count: number | null): number | null =>
  count === null || Number.isNaN(count) ? null : Math.min(Math.max(Math.round(count), 0), Number.MAX_SAFE_INTEGER);

/** Usage of turns, as rows that quotas can sum. A row is written in the transaction that ends its turn. */
@Injectable()
export class UsageService {
  constructor(private readonly reader: Reader) {}

  /** The statement that records a usage, for the transaction that ends the turn or stores the summary. */
  record({ kind = 'turn', ...usage }: TurnUsage): Statement {
    return USAGE.insert({
      ...usage,
      provider: nameOf(usage.provider),
      model: nameOf(usage.model),
      inputTokens: countOf(usage.inputTokens),
      outputTokens: countOf(usage.outputTokens),
      durationMs: countOf(usage.durationMs) ?? 0,
      id: newId(),
      kind,
    });
  }

  /** As `record`, for the extraction of facts from the messages of a user. */
  recordExtraction(usage: ExtractionUsage): Statement {
    return this.record({ ...usage, turnId: newId(), kind: 'extraction' });
  }

  /** Total usage of an agent, a user, both, or the installation. */
  async sum({ agentId, userId, since }: UsageFilter): Promise<UsageSum> {
    const params: SqlValue[] = [since];
    let sql = SUM;
    for (const [column, value] of [
      ['agent_id', agentId],
      ['user_id', userId],
    ] as const) {
      if (value === undefined) continue;
      sql += ` AND ${column} = ?`;
      params.push(value);
    }
    const [row] = await this.reader.rows<Record<string, number | string | null>>(sql, params);
    const number = (name: string): number => Number(row?.[name] ?? 0);
    return {
      turns: number('turns'),
      calls: number('calls'),
      inputTokens: number('input_tokens'),
      outputTokens: number('output_tokens'),
      durationMs: number('duration_ms'),
    };
  }

  /** Usage by time and model; that of turns counts when they end. */
  async byTime(range: BucketRange): Promise<BucketUsage[]> {
    const { bucket, where, params } = inBuckets('at', range);
    const rows = await this.reader.rows<Record<string, number | string | null>>(
      `SELECT ${bucket} AS bucket, provider, model, sum(calls) AS calls, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens
        FROM usage WHERE ${where} GROUP BY bucket, provider, model`,
      params,
    );
    return rows.map((row) => ({
      bucket: Number(row['bucket']),
      provider: row['provider'] as string | null,
      model: row['model'] as string | null,
      calls: Number(row['calls']),
      inputTokens: Number(row['input_tokens'] ?? 0),
      outputTokens: Number(row['output_tokens'] ?? 0),
    }));
  }

  /** Deletes up to `limit` rows of an agent; the outcome has the count. */
  deleteOf(agentId: string, limit: number): Statement {
    return { sql: DELETE_OF_AGENT, params: [agentId, limit], counted: true };
  }

  /** Deletes up to `limit` rows from before an instant; the outcome has the count. */
  deleteBefore(instant: number, limit: number): Statement {
    return { sql: DELETE_BEFORE, params: [instant, limit], counted: true };
  }
}
