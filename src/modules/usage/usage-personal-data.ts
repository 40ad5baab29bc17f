import { Injectable } from '@nestjs/common';
import { Reader, tableOf } from '../../core/database/index.js';
import {
  exportRows,
  FORGOTTEN_USER_ID,
  rowStep,
  type ErasureStep,
  type PersonalData,
  type PersonalRecord,
} from '../../core/personal-data/index.js';
import { userWroteAfter } from '../messaging/index.js';
import { UsageRow } from './entities/usage.entity.js';

const USAGE = tableOf(UsageRow);

/** What users' turns cost. The amounts stay, without the user. */
@Injectable()
export class UsagePersonalData implements PersonalData {
  readonly steps: readonly ErasureStep[] = [
    rowStep(
      { kind: 'usage', effect: 'redacted', order: 70 },
      { table: 'usage', key: ['id'] },
      `UPDATE usage SET user_id = '${FORGOTTEN_USER_ID}'`,
      // A turn that the request has cancelled ended after it.
      `user_id = ? AND (at <= ? OR NOT ${userWroteAfter('usage')})`,
      ({ userId, at, upTo }) => [userId, at, upTo],
    ),
  ];

  constructor(private readonly reader: Reader) {}

  export(userId: string): AsyncIterable<readonly PersonalRecord[]> {
    const sql = `SELECT ${USAGE.columns} FROM usage WHERE user_id = ?`;
    return exportRows(this.reader, 'usage', { sql, params: [userId], bytes: USAGE.bytesIn('x') }, 'id', (row) => ({ ...USAGE.read(row) }));
  }
}
