import { Injectable } from '@nestjs/common';
import { AuditEntryRow } from '../../core/audit/index.js';
import { idKeys, Reader, tableOf, type ColumnsOf, type SqlValue, type Statement } from '../../core/database/index.js';
import type { ListPosition } from '../../core/http/index.js';

const ENTRIES = tableOf(AuditEntryRow);

export type AuditEntry = ColumnsOf<AuditEntryRow>;

/** Conditions for entries; an absent one matches all. */
export interface AuditFilter {
  readonly action?: string;
  readonly actor?: string;
  readonly target?: string;
  readonly agentId?: string;
  /** Epoch ms, inclusive. */
  readonly from?: number;
  /** Epoch ms, inclusive. */
  readonly to?: number;
  /** Only entries about these agents. */
  readonly agents?: readonly string[];
}

@Injectable()
export class AuditRepository {
  constructor(private readonly reader: Reader) {}

  /** The newest first. @param before the position of the last entry of the page before */
  async page(filter: AuditFilter, before: Required<ListPosition> | undefined, limit: number): Promise<AuditEntry[]> {
    const { action, actor, target, agentId, from, to, agents } = filter;
    const conditions: (readonly [sql: string, params: SqlValue[]])[] = [['true', []]];
    if (action !== undefined) conditions.push(['action = ?', [action]]);
    if (actor !== undefined) conditions.push(['actor_id = ?', [actor]]);
    if (target !== undefined) conditions.push(['target_id = ?', [target]]);
    if (agentId !== undefined) conditions.push(['agent_id = ?', [agentId]]);
    if (from !== undefined) conditions.push(['created_at >= ?', [from]]);
    if (to !== undefined) conditions.push(['created_at <= ?', [to]]);
    if (agents !== undefined) conditions.push(['agent_id IN (SELECT key FROM json_each(?))', [idKeys(agents)]]);
    if (before) conditions.push(['(created_at < ? OR (created_at = ? AND id < ?))', [before.at, before.at, before.id]]);
    const where = conditions.map(([sql]) => sql).join(' AND ');
    const sql = `SELECT ${ENTRIES.columns} FROM audit_log WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT ?`;
    const rows = await this.reader.rows(sql, [...conditions.flatMap(([, params]) => params), limit]);
    return rows.map((row) => ENTRIES.read(row));
  }

  /** Deletes up to `limit` entries that are older than `before` (epoch ms). */
  deleteBefore(before: number, limit: number): Statement {
    return {
      sql: 'DELETE FROM audit_log WHERE id IN (SELECT id FROM audit_log WHERE created_at < ? ORDER BY created_at LIMIT ?)',
      params: [before, limit],
      counted: true,
    };
  }
}
