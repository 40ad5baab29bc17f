import { Injectable } from '@nestjs/common';
import { idKeys, Reader, tableOf, type Page, type ColumnsOf, type Statement, type Transaction } from '../../../core/database/index.js';
import { firstCharacters } from '../../../core/text/index.js';
import { MemoryVersionRow } from '../entities/index.js';

/** Former versions that are kept of one memory. */
const MAX_VERSIONS = 100;

const MAX_NAME_LENGTH = 255;

const VERSION = tableOf(MemoryVersionRow);
const SELECT = `SELECT ${VERSION.columns} FROM memory_versions WHERE memory_id = ?`;
// A copy within the database, so that the stored texts stay as they are.
const KEEP = `INSERT INTO memory_versions (memory_id, version, content, metadata, vouched, changed_at, changed_by)
  SELECT m.id, coalesce((SELECT max(v.version) FROM memory_versions v WHERE v.memory_id = m.id), 0) + 1, m.content, m.metadata, m.vouched,
    CAST(? AS bigint), CAST(? AS varchar(255))
  FROM memories m WHERE m.id IN (SELECT key FROM json_each(?))`;
const DROP_OLD = `DELETE FROM memory_versions WHERE memory_id IN (SELECT key FROM json_each(?))
  AND version <= (SELECT max(n.version) FROM memory_versions n WHERE n.memory_id = memory_versions.memory_id) - ${MAX_VERSIONS}`;

export type MemoryVersion = ColumnsOf<MemoryVersionRow>;

/** Former versions of memories; they are deleted with their memory. */
@Injectable()
export class MemoryVersionsRepository {
  constructor(private readonly reader: Reader) {}

  /**
   * Keeps the stored state of memories that the same transaction has locked (`MemoriesRepository.findIn`) and is about to change.
   *
   * @param by id of the caller that changes them
   */
  keep(memoryIds: Iterable<string>, by: string, now: number): Statement[] {
    const ids = idKeys(memoryIds);
    return [
      { sql: KEEP, params: [now, firstCharacters(by, MAX_NAME_LENGTH), ids] },
      { sql: DROP_OLD, params: [ids] },
    ];
  }

  /** The former versions of a memory, newest first. @param before the number above the first one to return */
  async page(memoryId: string, before: number, limit: number): Promise<Page<MemoryVersion>> {
    const { rows, ...page } = await this.reader.page({
      columns: VERSION.columnsOf('v'),
      bytes: VERSION.bytesOf('v'),
      from: 'FROM memory_versions v WHERE v.memory_id = ? AND v.version < ?',
      params: [memoryId, before],
      order: 'v.version DESC',
      limit,
    });
    return { ...page, rows: rows.map((row) => VERSION.read(row)) };
  }

  /** The number of the present version. */
  async current(memoryId: string): Promise<number> {
    const sql = 'SELECT max(version) AS newest FROM memory_versions WHERE memory_id = ?';
    const [row] = await this.reader.rows<{ newest: number | null }>(sql, [memoryId]);
    return (row?.newest ?? 0) + 1;
  }

  /** A former version, by default the newest, read in a transaction. */
  async findIn(tx: Transaction, memoryId: string, version?: number): Promise<MemoryVersion | undefined> {
    const [row] =
      version === undefined
        ? await tx.rows(`${SELECT} ORDER BY version DESC LIMIT 1`, [memoryId])
        : await tx.rows(`${SELECT} AND version = ?`, [memoryId, version]);
    return row && VERSION.read(row);
  }
}
