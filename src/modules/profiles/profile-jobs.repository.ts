import { Injectable } from '@nestjs/common';
import { Reader, tableOf, UnitOfWork, type Statement, type Transaction } from '../../core/database/index.js';
import { idForAgent } from '../../core/ids/index.js';
import { JobTable } from '../../core/queue/index.js';
import { ProfileJobRow } from './entities/profile-job.entity.js';

/** A job is due after so many turns. */
const TURNS = 6;
/** Or so long after the last turn. */
const QUIET_MS = 20_000;

const TABLE = tableOf(ProfileJobRow);
const KEY = 'agent_id = ? AND channel_id = ? AND user_id = ?';
const SELECT = `SELECT ${TABLE.columns} FROM profile_jobs WHERE ${KEY}`;
// While a job runs, `due_at` is the end of its lease; after a failed attempt, the time of the next one.
const NOTE_AGAIN = `ON CONFLICT (agent_id, channel_id, user_id) DO UPDATE SET
  unread = profile_jobs.unread + 1,
  due_at = CASE WHEN profile_jobs.status = 'running' OR (profile_jobs.status = 'pending' AND profile_jobs.attempts > 0) THEN profile_jobs.due_at
    WHEN profile_jobs.unread + 1 >= ${TURNS} THEN excluded.updated_at ELSE excluded.due_at END,
  attempts = CASE WHEN profile_jobs.status = 'failed' THEN 0 ELSE profile_jobs.attempts END,
  read_seq = CASE WHEN profile_jobs.status = 'done' THEN excluded.read_seq ELSE profile_jobs.read_seq END,
  read_at = CASE WHEN profile_jobs.status = 'done' THEN excluded.read_at ELSE profile_jobs.read_at END,
  noted_at = CASE WHEN profile_jobs.status IN ('done', 'failed') THEN excluded.noted_at ELSE profile_jobs.noted_at END,
  status = CASE WHEN profile_jobs.status = 'running' THEN 'running' ELSE 'pending' END,
  updated_at = excluded.updated_at`;
const DUE = `SELECT agent_id AS "agentId", channel_id AS "channelId", user_id AS "userId", noted_at AS "notedAt" FROM profile_jobs
  WHERE status IN ('pending', 'running') AND due_at <= ? ORDER BY due_at, agent_id, channel_id, user_id LIMIT ?`;
const ADVANCE = `UPDATE profile_jobs SET unread = ?, attempts = 0, noted_at = ?, read_seq = ?, read_at = ? WHERE ${KEY}`;

/** Identifies a job. */
export interface ProfileJobKey {
  readonly agentId: string;
  readonly channelId: string;
  readonly userId: string;
}

export type DueJob = ProfileJobKey & { readonly notedAt: number };

export type ProfileJob = ProfileJobKey & Pick<ProfileJobRow, 'attempts' | 'unread' | 'readSeq' | 'readAt' | 'notedAt'>;

const JOBS = new JobTable({
  queue: 'profiles',
  table: 'profile_jobs',
  key: ['agent_id', 'channel_id', 'user_id'],
  waiting: ['pending'],
  due: 'due_at',
  order: { key: 'profile_id', by: ['noted_at', 'channel_id'] },
  onClaim: 'updated_at = ?',
  onEnd: 'updated_at = ?',
});

export const keyOf = ({ agentId, channelId, userId }: ProfileJobKey): [string, string, string] => [agentId, channelId, userId];

/** Jobs that read what users told agents, as rows of a queue. */
@Injectable()
export class ProfileJobsRepository {
  readonly table = JOBS;

  constructor(
    private readonly reader: Reader,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Notes a turn whose messages begin after a position; `at` is the time of the first of them or before, epoch ms. */
  note(job: ProfileJobKey, after: { readonly seq: number; readonly at: number }, now: number): Statement {
    return TABLE.insert(
      {
        ...job,
        profileId: profileIdOf(job),
        status: 'pending',
        attempts: 0,
        dueAt: now + QUIET_MS,
        leaseOwner: null,
        error: null,
        unread: 1,
        readSeq: after.seq,
        readAt: after.at,
        notedAt: now,
        updatedAt: now,
      },
      NOTE_AGAIN,
    );
  }

  /** Due jobs, and when the next becomes due. */
  due(now: number, limit: number): ReturnType<typeof JOBS.withNextDue<DueJob>> {
    const rows = this.reader.rows<ProfileJobKey & { notedAt: number | string }>(DUE, [now, limit]);
    const jobs = rows.then((found) => found.map((row) => ({ ...row, notedAt: Number(row.notedAt) })));
    return JOBS.withNextDue(this.reader, now, jobs);
  }

  /** Claims a due job; undefined when another process holds it, or an earlier one of the profile is unfinished. */
  async claim(job: ProfileJobKey, claim: Statement): Promise<ProfileJob | undefined> {
    const row = await JOBS.claimed(this.unitOfWork, claim, { sql: SELECT, params: keyOf(job) });
    return row && TABLE.read(row);
  }

  /** Statements that end a reading, in the transaction that stores what it found. Turns that were noted meanwhile are read next. */
  async endIn(
    tx: Transaction,
    job: ProfileJob,
    owner: string,
    read: { readonly seq: number; readonly at: number; readonly more: boolean },
    now: number,
  ): Promise<Statement[]> {
    const [row] = await tx.rows<{ unread: number }>(`SELECT unread FROM profile_jobs WHERE ${KEY} ${tx.locking('FOR UPDATE')}`, keyOf(job));
    const unread = Math.max((row?.unread ?? 0) - job.unread, 0);
    const dueAt = read.more || unread >= TURNS ? now : unread > 0 ? now + QUIET_MS : null;
    return [
      JOBS.end(keyOf(job), owner, dueAt === null ? 'done' : 'pending', now, { dueAt }),
      { sql: ADVANCE, params: [unread, now, read.seq, read.at, ...keyOf(job)] },
    ];
  }
}

/** Jobs of one profile run one after the other. */
export function profileIdOf({ agentId, userId }: Pick<ProfileJobKey, 'agentId' | 'userId'>): string {
  return idForAgent(agentId, userId);
}
