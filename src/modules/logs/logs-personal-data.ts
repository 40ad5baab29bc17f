import { Injectable } from '@nestjs/common';
import { Reader, tableOf } from '../../core/database/index.js';
import { exportRows, textStep, type ErasureStep, type PersonalData, type PersonalRecord } from '../../core/personal-data/index.js';
import { AgentLogRow } from './entities/agent-log.entity.js';

const LOGS = tableOf(AgentLogRow);

/** Log entries of agents that name a user, or a message or channel of the user. */
@Injectable()
export class LogsPersonalData implements PersonalData {
  readonly steps: readonly ErasureStep[] = [
    textStep<{ id: string; body: string }>(
      { kind: 'agent logs', effect: 'deleted', order: 80 },
      { table: 'agent_logs', key: 'id', columns: ['body'] },
      ({ body }) => body,
    ),
  ];

  constructor(private readonly reader: Reader) {}

  export(userId: string): AsyncIterable<readonly PersonalRecord[]> {
    const sql = `SELECT ${LOGS.columns} FROM agent_logs WHERE body LIKE ?`;
    return exportRows(this.reader, 'agent logs', { sql, params: [`%${userId}%`], bytes: LOGS.bytesIn('x') }, 'id', (row) => ({
      ...LOGS.read(row),
    }));
  }
}
