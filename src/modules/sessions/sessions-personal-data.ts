import { Injectable } from '@nestjs/common';
import { Reader, tableOf } from '../../core/database/index.js';
import { exportRows, rowStep, type ErasureStep, type PersonalData, type PersonalRecord } from '../../core/personal-data/index.js';
import { SessionRow } from './entities/session.entity.js';

const SESSIONS = tableOf(SessionRow);

/** Sessions of users. Most are deleted with their channel. */
@Injectable()
export class SessionsPersonalData implements PersonalData {
  readonly steps: readonly ErasureStep[] = [
    rowStep(
      { kind: 'sessions', effect: 'deleted', order: 45 },
      { table: 'sessions', key: ['id'] },
      'DELETE FROM sessions',
      `user_id = ? AND created_at <= ? AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.channel_id = sessions.channel_id AND m.pos > ?
        AND m.author_kind = 'user')`,
      ({ userId, at, upTo }) => [userId, at, upTo],
    ),
  ];

  constructor(private readonly reader: Reader) {}

  export(userId: string): AsyncIterable<readonly PersonalRecord[]> {
    const sql = `SELECT ${SESSIONS.columns} FROM sessions WHERE user_id = ?`;
    return exportRows(this.reader, 'sessions', { sql, params: [userId], bytes: SESSIONS.bytesIn('x') }, 'id', (row) => ({
      ...SESSIONS.read(row),
    }));
  }
}
