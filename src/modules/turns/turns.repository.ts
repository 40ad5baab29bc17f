import { Injectable } from '@nestjs/common';
import { currentRequestId } from '../../core/context/request-context.js';
import { Reader, type Outcome, type SqlValue, type Statement, type Transaction } from '../../core/database/index.js';
import { AppError, type ErrorBody } from '../../core/errors/index.js';
import { CHANNEL_HEAD_SQL } from '../../core/journal/index.js';
import type { RecordedStep } from './recorded-rounds.js';
import type { OwedTurn } from './turns.types.js';

const INSERT = `INSERT INTO turns
  (message_id, agent_id, channel_id, seq, status, attempts, lease_owner, lease_until, request_id, reply_id, error, created_at, started_at, finished_at)
  VALUES (?, ?, ?, ${CHANNEL_HEAD_SQL}, 'queued', 0, NULL, NULL, ?, ?, NULL, ?, NULL, NULL)`;

// The last condition keeps the turns of a channel in order, whichever processes compete for them.
const CLAIM = `UPDATE turns SET status = 'running', attempts = attempts + 1, lease_owner = ?, lease_until = ?, started_at = coalesce(started_at, ?)
  WHERE message_id = ? AND agent_id = ? AND (status = 'queued' OR (status = 'running' AND lease_until < ?))
  AND NOT EXISTS (SELECT 1 FROM turns earlier WHERE earlier.channel_id = turns.channel_id AND earlier.status IN ('queued', 'running')
    AND (earlier.seq < turns.seq OR (earlier.seq = turns.seq AND earlier.agent_id < turns.agent_id)))`;

const END = `UPDATE turns SET status = ?, error = ?, finished_at = ?, lease_owner = NULL, lease_until = NULL
  WHERE message_id = ? AND agent_id = ? AND status = 'running' AND lease_owner = ?`;

const OWED = `SELECT message_id, agent_id, channel_id, seq, reply_id, attempts, request_id, started_at FROM turns WHERE status IN ('queued', 'running')`;

interface OwedRow {
  message_id: string;
  agent_id: string;
  channel_id: string;
  seq: number;
  reply_id: string;
  attempts: number;
  request_id: string | null;
  started_at: number | null;
}

type Key = Pick<OwedTurn, 'messageId' | 'agentId'>;

/** Thrown out of a unit that found its turn claimed, ended or cancelled by somebody else; nothing is wrong then. */
export class TurnLost extends AppError {
  constructor() {
    super('CONFLICT', 'The turn belongs to another process, or has ended.');
  }
}

const lostWhenUnchanged = ({ changed }: Outcome): AppError | undefined => (changed === 0 ? new TurnLost() : undefined);

/** The queue of owed answers: the turns table itself. */
@Injectable()
export class TurnsRepository {
  constructor(private readonly reader: Reader) {}

  /** Belongs behind the statements that store the message. */
  insert(turn: Key & { channelId: string; replyId: string; at: number }): Statement {
    return {
      sql: INSERT,
      params: [turn.messageId, turn.agentId, turn.channelId, turn.channelId, currentRequestId() ?? null, turn.replyId, turn.at],
    };
  }

  /** Takes a turn for `owner` until `leaseUntil`; refuses with `TurnLost` when it is not this channel's next or is taken. */
  claim(turn: Key, owner: string, now: number, leaseUntil: number): Statement {
    return { sql: CLAIM, params: [owner, leaseUntil, now, turn.messageId, turn.agentId, now], refuse: lostWhenUnchanged };
  }

  /** Ends a turn that `owner` holds; refuses with `TurnLost` when it was taken away or cancelled meanwhile. */
  end(turn: Key, owner: string, status: 'done' | 'failed', error: ErrorBody | null, now: number): Statement {
    return {
      sql: END,
      params: [status, error === null ? null : JSON.stringify(error), now, turn.messageId, turn.agentId, owner],
      refuse: lostWhenUnchanged,
    };
  }

  extendLeases(owner: string, leaseUntil: number): Statement {
    return { sql: `UPDATE turns SET lease_until = ? WHERE lease_owner = ? AND status = 'running'`, params: [leaseUntil, owner] };
  }

  /** Puts a turn back that this process will not finish; the attempt does not count. */
  release(turn: Key, owner: string): Statement {
    return {
      sql: `UPDATE turns SET status = 'queued', attempts = attempts - 1, lease_owner = NULL, lease_until = NULL
        WHERE message_id = ? AND agent_id = ? AND status = 'running' AND lease_owner = ?`,
      params: [turn.messageId, turn.agentId, owner],
    };
  }

  /** Declares every lease void, for an engine that only one process can have open. */
  voidLeases(): Statement {
    return { sql: `UPDATE turns SET lease_until = 0 WHERE status = 'running'`, params: [] };
  }

  cancelAll(channelId: string, now: number): Statement {
    return {
      sql: `UPDATE turns SET status = 'cancelled', finished_at = ?, lease_owner = NULL, lease_until = NULL
        WHERE channel_id = ? AND status IN ('queued', 'running')`,
      params: [now, channelId],
    };
  }

  /** Cancels what an agent owes. */
  cancelAllOf(agentId: string, now: number): Statement {
    return {
      sql: `UPDATE turns SET status = 'cancelled', finished_at = ?, lease_owner = NULL, lease_until = NULL
        WHERE agent_id = ? AND status IN ('queued', 'running')`,
      params: [now, agentId],
    };
  }

  /** Deletes turns of an agent with their steps, at most `limit`; counts them. */
  deleteOf(agentId: string, limit: number): Statement {
    return {
      sql: `DELETE FROM turns WHERE agent_id = ? AND message_id IN (SELECT message_id FROM turns WHERE agent_id = ? LIMIT ?)`,
      params: [agentId, agentId, limit],
      counted: true,
    };
  }

  /** Whether an answer is owed that will have this id. */
  async owesUnder(replyId: string): Promise<boolean> {
    return (
      (await this.reader.rows(`SELECT 1 FROM turns WHERE reply_id = ? AND status IN ('queued', 'running') LIMIT 1`, [replyId])).length > 0
    );
  }

  /** What an agent owes, as a unit sees it that decides about it. */
  async owedByIn(tx: Transaction, agentId: string): Promise<OwedTurn[]> {
    return (await tx.rows<OwedRow>(`${OWED} AND agent_id = ? ORDER BY channel_id, seq`, [agentId])).map(toOwed);
  }

  /** What a channel owes, as a unit sees it that decides about it. */
  async owedIn(tx: Transaction, channelId: string): Promise<OwedTurn[]> {
    return (await tx.rows<OwedRow>(`${OWED} AND channel_id = ? ORDER BY seq, agent_id`, [channelId])).map(toOwed);
  }

  recordStep(turn: Key, step: number, kind: string, payload: Record<string, unknown>, at: number): Statement {
    return {
      sql: 'INSERT INTO turn_steps (message_id, agent_id, step, kind, payload, at) VALUES (?, ?, ?, ?, ?, ?)',
      params: [turn.messageId, turn.agentId, step, kind, JSON.stringify(payload), at],
    };
  }

  /** As `recordStep`, behind the last step, whichever that is. */
  appendStep(turn: Key, kind: string, payload: Record<string, unknown>, at: number): Statement {
    const key = [turn.messageId, turn.agentId];
    return {
      sql: `INSERT INTO turn_steps (message_id, agent_id, step, kind, payload, at)
        VALUES (?, ?, (SELECT coalesce(max(step), -1) + 1 FROM turn_steps WHERE message_id = ? AND agent_id = ?), ?, ?, ?)`,
      params: [...key, ...key, kind, JSON.stringify(payload), at],
    };
  }

  /** What was recorded of a turn, in order. */
  async steps(turn: Key): Promise<RecordedStep[]> {
    const rows = await this.reader.rows<{ kind: string; payload: string }>(
      'SELECT kind, payload FROM turn_steps WHERE message_id = ? AND agent_id = ? ORDER BY step',
      [turn.messageId, turn.agentId],
    );
    return rows.map(({ kind, payload }) => ({ kind, payload: JSON.parse(payload) as RecordedStep['payload'] }));
  }

  /** Changes nothing; refuses with `TurnLost` when `owner` does not hold the turn any more. */
  hold(turn: Key, owner: string): Statement {
    return {
      sql: `UPDATE turns SET lease_owner = ? WHERE message_id = ? AND agent_id = ? AND status = 'running' AND lease_owner = ?`,
      params: [owner, turn.messageId, turn.agentId, owner],
      refuse: lostWhenUnchanged,
    };
  }

  /** Everything that is owed, in the order in which it is to be given. */
  async owed(): Promise<OwedTurn[]> {
    return this.select(`${OWED} ORDER BY channel_id, seq, agent_id`, []);
  }

  /** Turns whose process let their lease run out. */
  async abandoned(now: number): Promise<OwedTurn[]> {
    return this.select(`${OWED} AND (status = 'queued' OR lease_until < ?) ORDER BY channel_id, seq, agent_id`, [now]);
  }

  private async select(sql: string, params: SqlValue[]): Promise<OwedTurn[]> {
    return (await this.reader.rows<OwedRow>(sql, params)).map(toOwed);
  }
}

function toOwed(row: OwedRow): OwedTurn {
  return {
    messageId: row.message_id,
    agentId: row.agent_id,
    channelId: row.channel_id,
    seq: row.seq,
    replyId: row.reply_id,
    attempts: row.attempts,
    requestId: row.request_id,
    begun: row.started_at !== null,
  };
}
