import { Injectable } from '@nestjs/common';
import { currentRequestId } from '../../core/context/request-context.js';
import {
  idKeys,
  NEW_ENTRY_SEQ,
  Reader,
  tableOf,
  type Parent,
  type Row,
  type SqlValue,
  type Statement,
  type Transaction,
} from '../../core/database/index.js';
import type { ErrorBody } from '../../core/errors/index.js';
import { JobTable, LeaseLost } from '../../core/queue/index.js';
import { Tracer } from '../../core/telemetry/index.js';
import { TurnStepRow } from './entities/turn-step.entity.js';
import { TurnRow, type TurnStatus } from './entities/turn.entity.js';
import type { RecordedStep } from './attempt/recorded-rounds.js';
import type { PendingTurn } from './turns.types.js';

const INSERT = `INSERT INTO turns
  (message_id, agent_id, channel_id, seq, status, attempts, lease_owner, lease_until, request_id, trace_context, reply_id, error, created_at, started_at, finished_at)
  VALUES (?, ?, ?, ${NEW_ENTRY_SEQ}, 'queued', 0, NULL, NULL, ?, ?, ?, NULL, ?, NULL, NULL)`;

// For a turn that the process runs at once.
const INSERT_CLAIMED = `INSERT INTO turns
  (message_id, agent_id, channel_id, seq, status, attempts, lease_owner, lease_until, request_id, trace_context, reply_id, error, created_at, started_at, finished_at)
  SELECT CAST(? AS varchar(36)), CAST(? AS varchar(36)), CAST(? AS varchar(36)), ${NEW_ENTRY_SEQ}, 'running', 1, CAST(? AS varchar(36)),
    CAST(? AS bigint), CAST(? AS varchar(128)), CAST(? AS text), CAST(? AS varchar(36)), NULL, CAST(? AS bigint), CAST(? AS bigint), NULL
  WHERE NOT EXISTS (SELECT 1 FROM turns WHERE channel_id = ? AND status IN ('queued', 'running'))`;

const TURNS = new JobTable({
  queue: 'turns',
  table: 'turns',
  key: ['message_id', 'agent_id'],
  waiting: ['queued'],
  due: 'lease_until',
  since: 'created_at',
  // The turns of a channel run in order, whichever processes compete for them.
  order: { key: 'channel_id', by: ['seq', 'agent_id'] },
  onClaim: 'started_at = coalesce(started_at, ?)',
  onEnd: 'finished_at = ?',
  // The attempt keeps its number: what a client has of its text is not that of the next.
  onRelease: 'releases = releases + 1',
});

const TURN = tableOf(TurnRow).pick(
  'messageId',
  'agentId',
  'channelId',
  'seq',
  'replyId',
  'attempts',
  'releases',
  'requestId',
  'traceContext',
  'startedAt',
);
const COLUMNS = `${TURN.columns}, CASE WHEN status = 'suspended' THEN 1 ELSE 0 END AS suspended, (SELECT m.author_id FROM messages m WHERE m.id = turns.message_id) AS "authorId"`;
const SELECT = `SELECT ${COLUMNS} FROM turns`;
const STEPS = tableOf(TurnStepRow);
const CLAIMABLE = `SELECT ${COLUMNS}, lease_until AS "leaseUntil" FROM turns WHERE ${TURNS.claimableInOrder}
  ORDER BY channel_id, seq, agent_id`;
const PENDING = `${SELECT} WHERE status IN ('queued', 'running')`;
// `suspended` apart, so that each part has its index.
const UNENDED = `(status IN ('queued', 'running') OR status = 'suspended')`;
const UNENDED_TURNS = `${SELECT} WHERE ${UNENDED}`;

const PENDING_MESSAGES = `SELECT m.id, m.channel_id, m.author_id, m.author_name, m.content, m.created_at
  FROM json_each(?) AS c CROSS JOIN turns t CROSS JOIN messages m
  WHERE t.channel_id = c.key AND t.status IN ('queued', 'running') AND t.agent_id = ? AND m.id = t.message_id AND m.author_kind = 'user'
    AND m.vouched ORDER BY m.created_at DESC LIMIT 16`;

/** A message whose turn has not ended. */
export interface PendingMessage {
  readonly id: string;
  readonly channelId: string;
  readonly authorId: string;
  readonly authorName: string | null;
  readonly content: string;
  /** Epoch ms. */
  readonly createdAt: number;
}

type Key = Pick<PendingTurn, 'messageId' | 'agentId'>;

const STEPS_OF_TURN = 'SELECT kind, payload FROM turn_steps WHERE message_id = ? AND agent_id = ? ORDER BY step';
interface StoredStep {
  readonly kind: string;
  readonly payload: string;
}

/** The turns table. A row is a pending or finished reply of an agent; the queue runs the pending rows. */
@Injectable()
export class TurnsRepository {
  readonly table = TURNS;

  constructor(
    private readonly reader: Reader,
    private readonly tracer: Tracer,
  ) {}

  /** Must follow the statements that store the message. */
  insert(turn: Key & { channelId: string; replyId: string; at: number }): Statement {
    return {
      sql: INSERT,
      params: [turn.messageId, turn.agentId, turn.channelId, currentRequestId() ?? null, this.traceContextToStore(), turn.replyId, turn.at],
      independent: true,
    };
  }

  /** As `insert`, for a turn that `owner` has claimed; fails with `LeaseLost` when the channel has a pending turn. */
  insertClaimed(turn: Key & { channelId: string; replyId: string; at: number }, owner: string, until: number): Statement {
    const { messageId, agentId, channelId, replyId, at } = turn;
    const requestId = currentRequestId() ?? null;
    return {
      sql: INSERT_CLAIMED,
      params: [messageId, agentId, channelId, owner, until, requestId, this.traceContextToStore(), replyId, at, at, channelId],
      independent: true,
      current: true,
      refuse: ({ changed }) => (changed === 0 ? new LeaseLost() : undefined),
    };
  }

  /** Ends a turn that `owner` holds; fails with `LeaseLost` when it was taken over or cancelled. */
  end(turn: Key, owner: string, status: 'done' | 'failed', error: ErrorBody | null, now: number): Statement {
    return TURNS.end(keyOf(turn), owner, status, now, { error: error === null ? null : JSON.stringify(error) });
  }

  cancelOfChannel(channelId: string, now: number): Statement {
    return {
      sql: `UPDATE turns SET status = 'cancelled', finished_at = ?, lease_owner = NULL, lease_until = NULL
        WHERE channel_id = ? AND ${UNENDED}`,
      params: [now, channelId],
    };
  }

  cancelOfMessage(messageId: string, now: number): Statement {
    return {
      sql: `UPDATE turns SET status = 'cancelled', finished_at = ?, lease_owner = NULL, lease_until = NULL
        WHERE message_id = ? AND ${UNENDED}`,
      params: [now, messageId],
    };
  }

  cancelOfAgent(agentId: string, now: number): Statement {
    return {
      sql: `UPDATE turns SET status = 'cancelled', finished_at = ?, lease_owner = NULL, lease_until = NULL
        WHERE agent_id = ? AND ${UNENDED}`,
      params: [now, agentId],
    };
  }

  /** Deletes up to `limit` turns of an agent with their steps; the outcome has the count. */
  deleteOfAgent(agentId: string, limit: number): Statement {
    return {
      sql: `DELETE FROM turns WHERE agent_id = ? AND message_id IN (SELECT message_id FROM turns WHERE agent_id = ? LIMIT ?)`,
      params: [agentId, agentId, limit],
      counted: true,
    };
  }

  /** Vouched messages of users for which the agent has pending turns in these channels, newest first; at most 16. */
  async pendingMessages(agentId: string, channelIds: Iterable<string>): Promise<PendingMessage[]> {
    const rows = await this.reader.rows(PENDING_MESSAGES, [idKeys(channelIds), agentId]);
    return rows.map((row) => ({
      id: row['id'] as string,
      channelId: row['channel_id'] as string,
      authorId: row['author_id'] as string,
      authorName: row['author_name'] as string | null,
      content: row['content'] as string,
      createdAt: Number(row['created_at']),
    }));
  }

  /** Whether a pending turn has this reply id. */
  async isPending(replyId: string): Promise<boolean> {
    return (await this.reader.rows(`SELECT 1 FROM turns WHERE reply_id = ? AND ${UNENDED} LIMIT 1`, [replyId])).length > 0;
  }

  /** The newest turn of an agent in a channel, if it has not ended. */
  async newestUnended(channelId: string, agentId: string): Promise<PendingTurn | undefined> {
    const newest = 'SELECT max(seq) FROM turns WHERE channel_id = ? AND agent_id = ?';
    return (
      await this.select(`${UNENDED_TURNS} AND channel_id = ? AND agent_id = ? AND seq = (${newest})`, [
        channelId,
        agentId,
        channelId,
        agentId,
      ])
    )[0];
  }

  /** The turns of an agent that have not ended, read within a transaction. */
  async unendedOfAgent(tx: Transaction, agentId: string): Promise<PendingTurn[]> {
    return (await tx.rows(`${UNENDED_TURNS} AND agent_id = ? ORDER BY channel_id, seq`, [agentId])).map(toPending);
  }

  /**
   * The turns of a channel that have not ended, read within a transaction; those that wait for results of the caller are among them.
   *
   * @param locking from `tx.locking`; waits for turns that are being ended
   */
  async unendedOfChannel(tx: Transaction, channelId: string, locking = ''): Promise<PendingTurn[]> {
    return (await tx.rows(`${UNENDED_TURNS} AND channel_id = ? ORDER BY seq, agent_id ${locking}`, [channelId])).map(toPending);
  }

  /** A turn as it is now, read within a transaction; undefined when there is none. */
  async findIn(tx: Transaction, { messageId, agentId }: Key): Promise<(PendingTurn & { readonly status: TurnStatus }) | undefined> {
    const [row] = await tx.rows(`SELECT ${COLUMNS}, status FROM turns WHERE message_id = ? AND agent_id = ? ${tx.locking('FOR UPDATE')}`, [
      messageId,
      agentId,
    ]);
    return row && { ...toPending(row), status: row['status'] as TurnStatus };
  }

  /** Turns that have waited for the results of the caller for too long; at most `limit`. */
  async overdue(now: number, limit: number): Promise<PendingTurn[]> {
    return this.select(`${SELECT} WHERE status = 'suspended' AND lease_until <= ? ORDER BY lease_until LIMIT ?`, [now, limit]);
  }

  /** Lets a turn that `owner` holds wait for the results of the caller; fails with `LeaseLost`. @param until epoch ms */
  suspend({ messageId, agentId }: Key, owner: string, until: number): Statement {
    return {
      sql: `UPDATE turns SET status = 'suspended', lease_owner = NULL, lease_until = ?
        WHERE message_id = ? AND agent_id = ? AND status = 'running' AND lease_owner = ?`,
      params: [until, messageId, agentId, owner],
      refuse: ({ changed }) => (changed === 0 ? new LeaseLost() : undefined),
    };
  }

  /** Queues a suspended turn behind the other turns of its channel; fails with `LeaseLost`. Must follow the statement of its entry. */
  resume({ messageId, agentId }: Key): Statement {
    return {
      sql: `UPDATE turns SET status = 'queued', lease_until = NULL, seq = ${NEW_ENTRY_SEQ}
        WHERE message_id = ? AND agent_id = ? AND status = 'suspended'`,
      params: [messageId, agentId],
      refuse: ({ changed }) => (changed === 0 ? new LeaseLost() : undefined),
    };
  }

  /** Ends a suspended turn; fails with `LeaseLost` when it is no longer suspended. */
  expire({ messageId, agentId }: Key, error: ErrorBody, now: number): Statement {
    return {
      sql: `UPDATE turns SET status = 'failed', error = ?, finished_at = ?, lease_until = NULL
        WHERE message_id = ? AND agent_id = ? AND status = 'suspended'`,
      params: [JSON.stringify(error), now, messageId, agentId],
      refuse: ({ changed }) => (changed === 0 ? new LeaseLost() : undefined),
    };
  }

  recordStep({ messageId, agentId }: Key, step: number, kind: string, payload: Record<string, unknown>, at: number): Statement {
    return { ...STEPS.insert({ messageId, agentId, step, kind, payload, at }), parents: [turnOf({ messageId, agentId })] };
  }

  /** Same as `recordStep`, with the next step number. */
  appendStep(turn: Key, kind: string, payload: Record<string, unknown>, at: number): Statement {
    const key = [turn.messageId, turn.agentId];
    return {
      sql: `INSERT INTO turn_steps (message_id, agent_id, step, kind, payload, at)
        VALUES (?, ?, (SELECT coalesce(max(step), -1) + 1 FROM turn_steps WHERE message_id = ? AND agent_id = ?), ?, ?, ?)`,
      params: [...key, ...key, kind, JSON.stringify(payload), at],
      parents: [turnOf(turn)],
    };
  }

  /** The `traceContext` of a turn, which the journal does not carry. */
  async traceContext(turn: Key): Promise<string | null> {
    const [row] = await this.reader.rows<{ trace_context: string | null }>(
      'SELECT trace_context FROM turns WHERE message_id = ? AND agent_id = ?',
      [turn.messageId, turn.agentId],
    );
    return row?.trace_context ?? null;
  }

  /** The recorded steps of a turn, in order. */
  async steps(turn: Key): Promise<RecordedStep[]> {
    return toSteps(await this.reader.rows<StoredStep>(STEPS_OF_TURN, [turn.messageId, turn.agentId]));
  }

  /** As `steps`, read within a transaction. */
  async stepsIn(tx: Transaction, turn: Key): Promise<RecordedStep[]> {
    return toSteps(await tx.rows<StoredStep>(STEPS_OF_TURN, [turn.messageId, turn.agentId]));
  }

  /** The recorded model calls in the turns of these messages, read within a transaction. */
  async modelStepsIn(tx: Transaction, messageIds: readonly string[]): Promise<(Key & RecordedStep)[]> {
    const rows = await tx.rows<{ message_id: string; agent_id: string; kind: string; payload: string }>(
      `SELECT message_id, agent_id, kind, payload FROM turn_steps
        WHERE message_id IN (SELECT key FROM json_each(?)) AND kind = 'model' ORDER BY message_id, agent_id, step`,
      [idKeys(messageIds)],
    );
    return rows.map(({ message_id: messageId, agent_id: agentId, kind, payload }) => ({
      messageId,
      agentId,
      kind,
      payload: JSON.parse(payload) as RecordedStep['payload'],
    }));
  }

  /** Fails with `LeaseLost` when `owner` no longer holds the turn; changes nothing. */
  hold(turn: Key, owner: string): Statement {
    return TURNS.assertHeld(keyOf(turn), owner);
  }

  /** A pending turn; undefined when it has ended, or waits for its caller. */
  async find({ messageId, agentId }: Key): Promise<PendingTurn | undefined> {
    return (await this.select(`${PENDING} AND message_id = ? AND agent_id = ?`, [messageId, agentId]))[0];
  }

  /** All pending turns, in the order in which they run. */
  async pending(): Promise<PendingTurn[]> {
    return this.select(`${PENDING} ORDER BY channel_id, seq, agent_id`, []);
  }

  /**
   * Pending turns without a valid lease, each the first of its channel, and when the next lease ends.
   *
   * @param withinMs how far ahead leases are looked for, ms: those of living processes are extended before
   */
  async claimable(now: number, withinMs: number): Promise<{ jobs: PendingTurn[]; nextDueAt?: number }> {
    const rows = await this.reader.rows(CLAIMABLE, [now + withinMs]);
    const found = rows.map(({ leaseUntil, ...row }) => ({ row, dueAt: Number(leaseUntil ?? 0) }));
    const leased = found.filter(({ dueAt }) => dueAt > now);
    return {
      jobs: found.filter(({ dueAt }) => dueAt <= now).map(({ row }) => toPending(row)),
      ...(leased.length === 0 ? {} : { nextDueAt: Math.min(...leased.map(({ dueAt }) => dueAt)) }),
    };
  }

  private traceContextToStore(): string | null {
    return this.tracer.toStore('turn.queued');
  }

  private async select(sql: string, params: SqlValue[]): Promise<PendingTurn[]> {
    return (await this.reader.rows(sql, params)).map(toPending);
  }
}

export function keyOf({ messageId, agentId }: Key): readonly string[] {
  return [messageId, agentId];
}

function toPending(row: Row): PendingTurn {
  const { replyId, startedAt, ...turn } = TURN.read(row);
  // The column is nullable, but every insert sets it.
  return {
    ...turn,
    authorId: row['authorId'] as string | null,
    replyId: replyId as string,
    resumed: startedAt !== null,
    ...(Number(row['suspended']) === 1 && { suspended: true }),
  };
}

function toSteps(rows: readonly StoredStep[]): RecordedStep[] {
  return rows.map(({ kind, payload }) => ({ kind, payload: JSON.parse(payload) as RecordedStep['payload'] }));
}

/** The row of a turn, for what is deleted with it. */
function turnOf({ messageId, agentId }: Key): Parent {
  return { table: 'turns', key: { message_id: messageId, agent_id: agentId } };
}
