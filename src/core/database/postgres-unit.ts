import type { PostgresQuery, PostgresResult } from './postgres-pipeline.js';
import { numberPlaceholders } from './sql-text.js';
import {
  checkOutcomes,
  countsRows,
  NEW_ENTRY_POS,
  NEW_ENTRY_SEQ,
  type Outcome,
  type Parent,
  type SqlValue,
  type Statement,
} from './statement.js';

/** Marks of writers are advisory locks of this class; their number is the newest position that was drawn before. */
export const MARK_CLASS = 7_072_603;
export const MARKS = 2 ** 31;

const MAX_ENTRIES = 100;
/** Error code of `journal_refuse`, whose detail is the place of the statement that was refused. */
const REFUSED = 'PA001';
const STALE = -1;

/** Entries that a unit appends to a channel, or without one. */
interface Appended {
  readonly channelId: string | null;
  readonly places: number[];
}

/** A query of a unit, and what its only row tells about the statements in it. */
interface Part {
  readonly query: PostgresQuery;
  readonly read: (result: PostgresResult, outcomes: Outcome[]) => void;
}

/** Shard of the entries that every process reads. */
const CONTROL_SHARD = -1;

/** The unit must be repeated: another unit changed the channel after its snapshot. */
export class StaleSnapshot extends Error {}

/**
 * A unit of work as few queries, which are sent together. Statements that are independent of each other and appends to the journal become
 * one query. A statement that refuses when it changes no row makes the database refuse the whole, so that the outcome need not be waited for.
 */
export class PostgresUnit {
  private readonly parts: Part[] = [];

  /** @param beforeAppend sent before the first query that appends to the journal */
  constructor(
    private readonly statements: readonly Statement[],
    beforeAppend?: PostgresQuery,
  ) {
    let group: number[] = [];
    let first = beforeAppend;
    const flush = (): void => {
      if (first && group.some((place) => statements[place]?.journal)) {
        this.parts.push({ query: first, read: () => undefined });
        first = undefined;
      }
      if (group.length > 0) this.parts.push(merged(statements, group));
      group = [];
    };
    statements.forEach((statement, place) => {
      if (!statement.journal && !statement.independent) {
        flush();
        this.parts.push(statement.parents ? merged(statements, [place]) : single(statement, place));
        return;
      }
      if (statement.journal ? !fits(statements, group, statement) : insertsParent(statements, group, statement)) flush();
      group.push(place);
    });
    flush();
    statements.forEach(({ returns }, place) => {
      if (!returns) return;
      this.parts.push({
        query: { text: numberPlaceholders(returns.sql), values: returns.params },
        read: ({ rows }, outcomes) => Object.assign(outcomes[place] as { rows: unknown[] }, { rows }),
      });
    });
  }

  /** False when a `refuse` callback has to see its outcome before the commit. */
  get refusesInDatabase(): boolean {
    return this.statements.every((statement) => !statement.refuse || refusesNone(statement));
  }

  get appends(): boolean {
    return this.statements.some(({ journal }) => journal);
  }

  get queries(): PostgresQuery[] {
    return this.parts.map(({ query }) => query);
  }

  /** @throws the error of the first `refuse` callback that returns one */
  outcomes(results: readonly PostgresResult[]): Outcome[] {
    const outcomes = this.statements.map((): Outcome => ({ changed: 0, rows: [] }));
    this.parts.forEach(({ read }, index) => read(results[index] ?? { rowCount: 0, rows: [], command: '' }, outcomes));
    checkOutcomes(this.statements, outcomes);
    return outcomes;
  }

  /** The error of the statement that the database refused, or the error as it is. */
  translate(error: unknown): unknown {
    const { code, detail } = error as { code?: string; detail?: string };
    if (code !== REFUSED) return error;
    if (Number(detail) === STALE) return new StaleSnapshot('the channel has changed');
    return this.statements[Number(detail)]?.refuse?.({ changed: 0, rows: [] }) ?? error;
  }
}

function refusesNone({ refuse, returns }: Statement): boolean {
  if (!refuse || returns) return false;
  return refuse({ changed: 0, rows: [] }) !== undefined && refuse({ changed: 1, rows: [] }) === undefined;
}

/** Whether the entry can be appended by the same query, which has a parameter for each of its fields. */
function fits(statements: readonly Statement[], group: readonly number[], next: Statement): boolean {
  const sameChannel = group.filter(
    (place) => statements[place]?.journal?.channelId === next.journal?.channelId && statements[place]?.journal,
  );
  return sameChannel.length < MAX_ENTRIES;
}

/** Whether a row that the statement belongs to is inserted by the group: a query does not see its own insertions. */
function insertsParent(statements: readonly Statement[], group: readonly number[], { parents = [] }: Statement): boolean {
  return parents.some(({ table }) => group.some((place) => statements[place]?.sql.startsWith(`INSERT INTO ${table} `)));
}

function single(statement: Statement, place: number): Part {
  const text = numberPlaceholders(statement.sql);
  if (text.includes(NEW_ENTRY_POS)) throw new Error('a statement that reads the position of an entry must be independent');
  const query = refusesNone(statement)
    ? {
        text: `WITH s AS (${text} RETURNING 1) SELECT (SELECT count(*) FROM s) AS n, CASE WHEN NOT EXISTS (SELECT 1 FROM s) THEN journal_refuse(${place}) END`,
        values: statement.params,
      }
    : { text, values: statement.params };
  return {
    query,
    read: ({ rowCount, rows }, outcomes) => {
      Object.assign(outcomes[place] as { changed: number }, { changed: refusesNone(statement) ? Number(rows[0]?.['n']) : rowCount });
    },
  };
}

/** One query for the appends and independent statements at these places. */
function merged(statements: readonly Statement[], places: readonly number[]): Part {
  const values: SqlValue[] = [];
  const bind = (value: SqlValue, type = ''): string => `$${values.push(value)}${type === '' ? '' : `::${type}`}`;
  const ctes: string[] = [];
  const results: string[] = [];
  const groups = appendsByChannel(statements, places);
  /** Where a query finds the position of an entry. */
  const found = new Map<number, string>();
  if (groups.length > 0) {
    ctes.push(
      `mark AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(${MARK_CLASS}, (last_value % ${MARKS})::integer) FROM journal_pos)`,
    );
  }
  groups.forEach(({ channelId, places: entries }, index) => {
    const [head, drawn] = [`h${index}`, `p${index}`];
    const steps = entries.map((place) => statements[place]?.journal?.step ?? 0);
    const total = steps.reduce((sum, step) => sum + step, 0);
    const id = channelId === null ? 'NULL' : bind(channelId, 'varchar');
    if (channelId === null) {
      ctes.push(`${head} AS MATERIALIZED (SELECT nextval('journal_pos') AS pos, NULL::bigint AS seq, NULL::bigint AS prev FROM mark)`);
    } else {
      const known = entries.map((place) => statements[place]?.journal?.unchangedSince).find((since) => since !== undefined);
      const changes = entries.some((place) => statements[place]?.journal?.everywhere);
      const exists = `EXISTS (SELECT 1 FROM journal_heads WHERE channel_id = ${id})`;
      ctes.push(
        // The position of an existing channel is drawn once its row is locked.
        `${head} AS (INSERT INTO journal_heads AS h (channel_id, seq, pos, changed)
          SELECT ${id}, ${total}, CASE WHEN ${exists} THEN 0 ELSE nextval('journal_pos') END, 0 FROM mark${known === undefined ? '' : ` WHERE ${exists}`}
          ON CONFLICT (channel_id) DO UPDATE SET seq = h.seq + ${total}, prev = h.pos, pos = nextval('journal_pos')${changes ? ', changed = h.pos + 1' : ''}
          ${known === undefined ? '' : `WHERE h.changed = ${bind(known, 'bigint')} `}RETURNING h.seq, h.pos, h.prev)`,
      );
      results.push(`CASE WHEN (SELECT pos FROM ${head}) = 0 THEN journal_refuse(${STALE}) END`);
      if (places.some((place) => statements[place]?.current)) {
        results.push(
          `CASE WHEN (SELECT prev FROM ${head}) IS DISTINCT FROM (SELECT pos FROM journal_heads WHERE channel_id = ${id}) THEN journal_refuse(${STALE}) END`,
        );
      }
    }
    let taken = 0;
    const rows = entries.map((place, at) => {
      taken += steps[at] ?? 0;
      found.set(place, `FROM ${drawn} WHERE place = ${place}`);
      const [, , , type, payload, entryAt, requestId] = statements[place]?.params ?? [];
      const everywhere = channelId === null || statements[place]?.journal?.everywhere === true;
      const given = [
        bind(type ?? null, 'varchar'),
        bind(payload ?? null, 'text'),
        bind(entryAt ?? null, 'bigint'),
        bind(requestId ?? null, 'varchar'),
        bind(shardOf(channelId, everywhere), 'integer'),
      ];
      return `(${place}, ${total - taken}, ${given.join(', ')})`;
    });
    ctes.push(
      `${drawn} AS MATERIALIZED (SELECT v.*, h.seq - v.seq_back AS seq, h.prev,
          CASE WHEN v.place = ${entries[0]} THEN h.pos ELSE nextval('journal_pos') END AS pos
          FROM ${head} h, (VALUES ${rows.join(', ')}) v (place, seq_back, type, payload, at, request_id, shard))`,
      `e${index} AS (INSERT INTO journal (pos, channel_id, seq, type, payload, at, request_id, shard)
        SELECT pos, ${id}, seq, type, payload, at, request_id, shard FROM ${drawn})`,
    );
    results.push(`(SELECT json_agg(json_build_array(place, pos, seq, prev)) FROM ${drawn}) AS entries${index}`);
    const guarded = entries.find((place) => statements[place]?.refuse);
    if (guarded !== undefined) results.push(`CASE WHEN NOT EXISTS (SELECT 1 FROM ${head}) THEN journal_refuse(${guarded}) END`);
  });
  parentsOf(statements, places).forEach(({ table, key, optional }, index) => {
    const condition = Object.entries(key)
      .map(([column, value]) => `${column} = ${bind(value, 'varchar')}`)
      .join(' AND ');
    const parent = `(SELECT 1 FROM ${table} WHERE ${condition}`;
    ctes.push(`k${index} AS MATERIALIZED ${parent} FOR KEY SHARE)`);
    results.push(
      optional
        ? `CASE WHEN NOT EXISTS (SELECT 1 FROM k${index}) AND EXISTS ${parent}) THEN journal_refuse(${STALE}) END`
        : `CASE WHEN NOT EXISTS (SELECT 1 FROM k${index}) THEN row_missing('${table}') END`,
    );
  });
  let newest: number | undefined;
  const counted: number[] = [];
  for (const place of places) {
    const statement = statements[place];
    if (!statement) continue;
    if (statement.journal) {
      newest = place;
      continue;
    }
    ctes.push(`s${place} AS (${withValues(statement, newest === undefined ? undefined : found.get(newest), bind)} RETURNING 1)`);
    if (!countsRows(statement)) continue;
    counted.push(place);
    results.push(`(SELECT count(*) FROM s${place}) AS n${place}`);
    if (refusesNone(statement)) results.push(`CASE WHEN NOT EXISTS (SELECT 1 FROM s${place}) THEN journal_refuse(${place}) END`);
  }
  if (groups.length > 0) results.push(`(SELECT max(pos) FROM journal WHERE shard = ${CONTROL_SHARD}) AS control`);
  return {
    query: { text: `WITH ${ctes.join(',\n')}\nSELECT ${results.length > 0 ? results.join(', ') : '1'}`, values },
    read: ({ rows }, outcomes) => {
      const row = rows[0] ?? {};
      for (const place of counted) Object.assign(outcomes[place] as { changed: number }, { changed: Number(row[`n${place}`]) });
      groups.forEach((_, index) => {
        let previous: number | undefined;
        for (const [place, offset, seq, before] of (row[`entries${index}`] ?? []) as [number, number, number | null, number | null][]) {
          const position = { offset, seq: seq ?? 0, previous: previous ?? before ?? 0, control: Number(row['control'] ?? 0) };
          Object.assign(outcomes[place] as Outcome, { changed: 1, position });
          previous = offset;
        }
      });
    },
  };
}

/** Each row that these statements belong to, once. */
function parentsOf(statements: readonly Statement[], places: readonly number[]): Parent[] {
  const parents = new Map<string, Parent>();
  for (const place of places) for (const parent of statements[place]?.parents ?? []) parents.set(JSON.stringify(parent), parent);
  return [...parents.values()];
}

function appendsByChannel(statements: readonly Statement[], places: readonly number[]): Appended[] {
  const groups = new Map<string | null, number[]>();
  for (const place of places) {
    const channelId = statements[place]?.journal?.channelId;
    if (channelId === undefined) continue;
    const group = groups.get(channelId) ?? [];
    group.push(place);
    groups.set(channelId, group);
  }
  return [...groups].map(([channelId, entries]) => ({ channelId, places: entries }));
}

/**
 * Shard of an entry: -1 when every process reads it, or it has no channel. Otherwise 0 to 255: the last byte of the channel's id, which is
 * random in every kind of UUID.
 */
export function shardOf(channelId: string | null, everywhere: boolean): number {
  if (channelId === null || everywhere) return CONTROL_SHARD;
  const byte = Number.parseInt(channelId.slice(-2), 16);
  return Number.isNaN(byte) ? 0 : byte;
}

/** The text of a statement with numbered placeholders, and the position of the entry that precedes it in place of `NEW_ENTRY_POS`. */
function withValues({ sql, params }: Statement, found: string | undefined, bind: (value: SqlValue) => string): string {
  let place = 0;
  const text = sql.replaceAll('?', () => bind(params[place++] ?? null));
  if (found === undefined) return text;
  return text.replaceAll(NEW_ENTRY_POS, `(SELECT pos ${found})`).replaceAll(NEW_ENTRY_SEQ, `(SELECT seq ${found})`);
}
