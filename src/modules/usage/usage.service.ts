import { Injectable } from '@nestjs/common';
import { Reader, tableOf, type SqlValue, type Statement } from '../../core/database/index.js';
import { newId } from '../../core/ids/index.js';
import { UsageRow } from './entities/usage.entity.js';
import type { TurnUsage, UsageFilter, UsageSum } from './usage.types.js';

const USAGE = tableOf(UsageRow);
const SUM = `SELECT count(*) AS turns, sum(calls) AS calls, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
  sum(duration_ms) AS duration_ms FROM usage WHERE at >= ?`;
const DELETE_OF_AGENT = 'DELETE FROM usage WHERE id IN (SELECT id FROM usage WHERE agent_id = ? LIMIT ?)';
const DELETE_BEFORE = 'DELETE FROM usage WHERE id IN (SELECT id FROM usage WHERE at < ? LIMIT ?)';

/** Usage of turns, as rows that quotas can sum. A row is written in the transaction that ends its turn. */
@Injectable()
export class UsageService {
  constructor(private readonly reader: Reader) {}

  /** The statement that records a turn's usage, for the transaction that ends the turn. */
  record(usage: TurnUsage): Statement {
    return USAGE.insert({ ...usage, id: newId(), kind: 'turn' });
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

  /** Deletes up to `limit` rows of an agent; the outcome has the count. */
  deleteOf(agentId: string, limit: number): Statement {
    return { sql: DELETE_OF_AGENT, params: [agentId, limit], counted: true };
  }

  /** Deletes up to `limit` rows from before an instant; the outcome has the count. */
  deleteBefore(instant: number, limit: number): Statement {
    return { sql: DELETE_BEFORE, params: [instant, limit], counted: true };
  }
}
