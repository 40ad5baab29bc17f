import { Injectable } from '@nestjs/common';
import { Reader, tableOf } from '../../core/database/index.js';
import {
  exportRows,
  inScope,
  readStep,
  rowStep,
  type ErasureStep,
  type PersonalData,
  type PersonalRecord,
} from '../../core/personal-data/index.js';
import { JobRow } from './entities/job.entity.js';
import { TurnRow } from './entities/turn.entity.js';
import { TurnStepRow } from './entities/turn-step.entity.js';

const JOBS = tableOf(JobRow);
const TURNS = tableOf(TurnRow);
const STEPS = tableOf(TurnStepRow);
const OF_USER = `(SELECT m.id FROM messages m WHERE m.author_id = ? AND m.author_kind = 'user')`;

interface Step {
  message_id: string;
  agent_id: string;
  step: number;
  payload: string;
}

/** Turns of users' messages, which are deleted with their message, and jobs. */
@Injectable()
export class TurnsPersonalData implements PersonalData {
  readonly steps: readonly ErasureStep[] = [
    rowStep(
      { kind: 'jobs', effect: 'deleted', order: 46 },
      { table: 'jobs', key: ['id'] },
      'DELETE FROM jobs',
      'user_id = ? AND created_at <= ?',
      ({ userId, at }) => [userId, at],
    ),
    // Prompts of replies to others in the same channels, and what the model thought, repeat what the user said.
    readStep<Step>(
      { kind: 'recorded prompts', effect: 'redacted', order: 60 },
      { table: 'turn_steps', key: ['message_id', 'agent_id', 'step'] },
      {
        columns: 'message_id, agent_id, step, payload',
        where: `(payload LIKE '%"prompt":%' OR payload LIKE '%"reasoning":%') AND message_id IN (SELECT t.message_id FROM turns t
          WHERE t.status NOT IN ('queued', 'running') AND t.channel_id IN ${inScope('place')})`,
        params: ({ requestId }) => [requestId],
      },
      async (found, _erasure, tx) => {
        const recorded = found.flatMap((step) => {
          const { prompt, reasoning, ...rest } = JSON.parse(step.payload) as Record<string, unknown>;
          return (prompt ?? reasoning ?? null) === null ? [] : [{ ...step, payload: JSON.stringify(rest) }];
        });
        await tx.apply(
          recorded.map(({ message_id: messageId, agent_id: agentId, step, payload }) => ({
            sql: 'UPDATE turn_steps SET payload = ? WHERE message_id = ? AND agent_id = ? AND step = ?',
            params: [payload, messageId, agentId, step],
          })),
        );
        return recorded.length;
      },
    ),
  ];

  constructor(private readonly reader: Reader) {}

  async *export(userId: string): AsyncGenerator<readonly PersonalRecord[], void> {
    const params = [userId];
    const jobs = `SELECT ${JOBS.columns} FROM jobs WHERE user_id = ?`;
    yield* exportRows(this.reader, 'jobs', { sql: jobs, params, bytes: JOBS.bytesIn('x') }, 'id', (row) => ({ ...JOBS.read(row) }));
    const turns = `SELECT ${TURNS.columns}, message_id || agent_id AS "key" FROM turns WHERE message_id IN ${OF_USER}`;
    yield* exportRows(this.reader, 'turns', { sql: turns, params, bytes: TURNS.bytesIn('x') }, 'key', ({ key: _key, ...row }) =>
      TURNS.read(row),
    );
    const steps = `SELECT ${STEPS.columns}, message_id || agent_id || CAST(step AS text) AS "key" FROM turn_steps WHERE message_id IN ${OF_USER}`;
    yield* exportRows(this.reader, 'turn steps', { sql: steps, params, bytes: STEPS.bytesIn('x') }, 'key', ({ key: _key, ...row }) =>
      STEPS.read(row),
    );
  }
}
