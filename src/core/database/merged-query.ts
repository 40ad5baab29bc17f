import type { PostgresQuery, PostgresResult } from './postgres-pipeline.js';
import {
  countsRows,
  NEW_ENTRY_POS,
  NEW_ENTRY_SEQ,
  refusesNone,
  type Outcome,
  type Parent,
  type SqlValue,
  type Statement,
} from './statement.js';

/** Marks of writers are advisory locks of this class; their number is the newest position that was drawn before. */
export const MARK_CLASS = 7_072_603;
export const MARKS = 2 ** 31;

/** Place that `journal_refuse` gets when another unit changed what this one has read. */
export const STALE = -1;

/** Shard of the entries that every process reads. */
const CONTROL_SHARD = -1;

/** A query of a unit, and what its only row tells about the statements in it. */
export interface UnitQuery {
  readonly query: PostgresQuery;
  read(result: PostgresResult, outcomes: Outcome[]): void;
}

/** Entries that a unit appends to a channel, or without one. */
interface Appended {
  readonly channelId: string | null;
  readonly places: number[];
}

/** An entry as `json_build_array(place, pos, seq, prev)`. */
type AppendedEntry = readonly [place: number, offset: number, seq: number | null, previous: number | null];

/** One query for appends to the journal and independent statements: a common table expression for each, and a row with their outcomes. */
export class MergedQuery implements UnitQuery {
  readonly query: PostgresQuery;
  private readonly values: SqlValue[] = [];
  private readonly expressions: string[] = [];
  private readonly results: string[] = [];
  private readonly channels: readonly Appended[];
  /** Where a query finds the position of an entry. */
  private readonly positions = new Map<number, string>();
  /** Statements whose rows are counted. */
  private readonly counted: number[] = [];

  /** @param places of the statements that it runs */
  constructor(
    private readonly statements: readonly Statement[],
    private readonly places: readonly number[],
  ) {
    this.channels = appendsByChannel(statements, places);
    if (this.channels.length > 0) this.mark();
    for (const [index, appended] of this.channels.entries()) this.append(appended, index);
    for (const [index, parent] of parentsOf(statements, places).entries()) this.lock(parent, index);
    this.runStatements();
    if (this.channels.length > 0) this.results.push(`(SELECT max(pos) FROM journal WHERE shard = ${CONTROL_SHARD}) AS control`);
    const { expressions, results, values } = this;
    this.query = { text: `WITH ${expressions.join(',\n')}\nSELECT ${results.length > 0 ? results.join(', ') : '1'}`, values };
  }

  read({ rows }: PostgresResult, outcomes: Outcome[]): void {
    const row = rows[0] ?? {};
    for (const place of this.counted) Object.assign(outcomes[place] as { changed: number }, { changed: Number(row[`n${place}`]) });
    for (const index of this.channels.keys()) {
      let previous: number | undefined;
      for (const [place, offset, seq, before] of (row[`entries${index}`] ?? []) as AppendedEntry[]) {
        const position = { offset, seq: seq ?? 0, previous: previous ?? before ?? 0, control: Number(row['control'] ?? 0) };
        Object.assign(outcomes[place] as Outcome, { changed: 1, position });
        previous = offset;
      }
    }
  }

  private bind(value: SqlValue, type = ''): string {
    return `$${this.values.push(value)}${type === '' ? '' : `::${type}`}`;
  }

  private mark(): void {
    this.expressions.push(
      `mark AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(${MARK_CLASS}, (last_value % ${MARKS})::integer) FROM journal_pos)`,
    );
  }

  /** Draws positions for the entries of a channel, and inserts them. */
  private append({ channelId, places }: Appended, index: number): void {
    const [head, drawn] = [`h${index}`, `p${index}`];
    const steps = places.map((place) => this.statements[place]?.journal?.step ?? 0);
    const total = steps.reduce((sum, step) => sum + step, 0);
    const id = channelId === null ? 'NULL' : this.bind(channelId, 'varchar');
    if (channelId === null) {
      this.expressions.push(
        `${head} AS MATERIALIZED (SELECT nextval('journal_pos') AS pos, NULL::bigint AS seq, NULL::bigint AS prev FROM mark)`,
      );
    } else {
      this.moveHead(head, id, places, total);
    }
    let taken = 0;
    const rows = places.map((place, at) => {
      taken += steps[at] ?? 0;
      this.positions.set(place, `FROM ${drawn} WHERE place = ${place}`);
      return `(${place}, ${total - taken}, ${this.entry(place, channelId)})`;
    });
    this.expressions.push(
      `${drawn} AS MATERIALIZED (SELECT v.*, h.seq - v.seq_back AS seq, h.prev,
          CASE WHEN v.place = ${places[0]} THEN h.pos ELSE nextval('journal_pos') END AS pos
          FROM ${head} h, (VALUES ${rows.join(', ')}) v (place, seq_back, type, payload, at, request_id, shard))`,
      `e${index} AS (INSERT INTO journal (pos, channel_id, seq, type, payload, at, request_id, shard)
        SELECT pos, ${id}, seq, type, payload, at, request_id, shard FROM ${drawn})`,
    );
    this.results.push(`(SELECT json_agg(json_build_array(place, pos, seq, prev)) FROM ${drawn}) AS entries${index}`);
    const guarded = places.find((place) => this.statements[place]?.refuse);
    if (guarded !== undefined) this.results.push(refusal(`NOT EXISTS (SELECT 1 FROM ${head})`, guarded));
  }

  /** Advances the row of a channel. The position of an existing channel is drawn once its row is locked. */
  private moveHead(head: string, id: string, places: readonly number[], total: number): void {
    const appends = places.flatMap((place) => this.statements[place]?.journal ?? []);
    const known = appends.find(({ unchangedSince }) => unchangedSince !== undefined)?.unchangedSince;
    const changes = appends.some(({ everywhere }) => everywhere);
    const exists = `EXISTS (SELECT 1 FROM journal_heads WHERE channel_id = ${id})`;
    this.expressions.push(
      `${head} AS (INSERT INTO journal_heads AS h (channel_id, seq, pos, changed)
          SELECT ${id}, ${total}, CASE WHEN ${exists} THEN 0 ELSE nextval('journal_pos') END, 0 FROM mark${known === undefined ? '' : ` WHERE ${exists}`}
          ON CONFLICT (channel_id) DO UPDATE SET seq = h.seq + ${total}, prev = h.pos, pos = nextval('journal_pos')${changes ? ', changed = h.pos + 1' : ''}
          ${known === undefined ? '' : `WHERE h.changed = ${this.bind(known, 'bigint')} `}RETURNING h.seq, h.pos, h.prev)`,
    );
    this.results.push(refusal(`(SELECT pos FROM ${head}) = 0`, STALE));
    if (!this.places.some((place) => this.statements[place]?.current)) return;
    const newest = `(SELECT pos FROM journal_heads WHERE channel_id = ${id})`;
    this.results.push(refusal(`(SELECT prev FROM ${head}) IS DISTINCT FROM ${newest}`, STALE));
  }

  /** The bound fields of an entry. */
  private entry(place: number, channelId: string | null): string {
    const { params = [], journal } = this.statements[place] ?? {};
    const [, , , type, payload, at, requestId] = params;
    const shard = shardOf(channelId, channelId === null || journal?.everywhere === true);
    return [
      this.bind(type ?? null, 'varchar'),
      this.bind(payload ?? null, 'text'),
      this.bind(at ?? null, 'bigint'),
      this.bind(requestId ?? null, 'varchar'),
      this.bind(shard, 'integer'),
    ].join(', ');
  }

  /** Keeps a row that the statements belong to until the commit. */
  private lock({ table, key, optional }: Parent, index: number): void {
    const condition = Object.entries(key)
      .map(([column, value]) => `${column} = ${this.bind(value, 'varchar')}`)
      .join(' AND ');
    const parent = `(SELECT 1 FROM ${table} WHERE ${condition}`;
    const isMissing = `NOT EXISTS (SELECT 1 FROM k${index})`;
    this.expressions.push(`k${index} AS MATERIALIZED ${parent} FOR KEY SHARE)`);
    this.results.push(
      optional ? refusal(`${isMissing} AND EXISTS ${parent})`, STALE) : `CASE WHEN ${isMissing} THEN row_missing('${table}') END`,
    );
  }

  private runStatements(): void {
    let newest: number | undefined;
    for (const place of this.places) {
      const statement = this.statements[place];
      if (!statement) continue;
      if (statement.journal) {
        newest = place;
        continue;
      }
      this.expressions.push(`s${place} AS (${this.textOf(statement, newest)} RETURNING 1)`);
      if (!countsRows(statement)) continue;
      this.counted.push(place);
      this.results.push(`(SELECT count(*) FROM s${place}) AS n${place}`);
      if (refusesNone(statement)) this.results.push(refusal(`NOT EXISTS (SELECT 1 FROM s${place})`, place));
    }
  }

  /** The text of a statement with numbered placeholders, and the position of the entry before it in place of `NEW_ENTRY_POS`. */
  private textOf({ sql, params }: Statement, entry: number | undefined): string {
    let at = 0;
    const text = sql.replaceAll('?', () => this.bind(params[at++] ?? null));
    const position = entry === undefined ? undefined : this.positions.get(entry);
    if (position === undefined) return text;
    return text.replaceAll(NEW_ENTRY_POS, `(SELECT pos ${position})`).replaceAll(NEW_ENTRY_SEQ, `(SELECT seq ${position})`);
  }
}

/** Makes the database refuse the unit. */
function refusal(condition: string, place: number): string {
  return `CASE WHEN ${condition} THEN journal_refuse(${place}) END`;
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
