import { Injectable } from '@nestjs/common';
import { AuditEntryRow } from '../../core/audit/index.js';
import { Reader, tableOf } from '../../core/database/index.js';
import {
  exportRows,
  FORGOTTEN_USER_ID,
  rowStep,
  type ErasureStep,
  type PersonalData,
  type PersonalRecord,
} from '../../core/personal-data/index.js';

const ENTRIES = tableOf(AuditEntryRow);

/** What users have changed with their own tokens. The entries stay, without the user, the session and the address. */
@Injectable()
export class AuditPersonalData implements PersonalData {
  readonly steps: readonly ErasureStep[] = [
    rowStep(
      { kind: 'audit entries', effect: 'redacted', order: 70 },
      { table: 'audit_log', key: ['id'] },
      `UPDATE audit_log SET user_id = '${FORGOTTEN_USER_ID}', actor_id = 'user:${FORGOTTEN_USER_ID}', address = NULL`,
      'user_id = ? AND created_at <= ?',
      ({ userId, at }) => [userId, at],
    ),
  ];

  constructor(private readonly reader: Reader) {}

  export(userId: string): AsyncIterable<readonly PersonalRecord[]> {
    const sql = `SELECT ${ENTRIES.columns} FROM audit_log WHERE user_id = ?`;
    return exportRows(this.reader, 'audit entries', { sql, params: [userId], bytes: ENTRIES.bytesIn('x') }, 'id', (row) => ({
      ...ENTRIES.read(row),
    }));
  }
}
