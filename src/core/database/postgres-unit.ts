import { MergedQuery, STALE, type UnitQuery } from './merged-query.js';
import type { PostgresQuery, PostgresResult } from './postgres-pipeline.js';
import { numberPlaceholders } from './sql-text.js';
import { checkOutcomes, NEW_ENTRY_POS, refusesNone, type Outcome, type Statement } from './statement.js';

const MAX_ENTRIES = 100;
/** Error code of `journal_refuse`, whose detail is the place of the statement that was refused. */
const REFUSED = 'PA001';

/** The unit must be repeated: another unit changed the channel after its snapshot. */
export class StaleSnapshot extends Error {}

/**
 * A unit of work as few queries, which are sent together. Statements that are independent of each other and appends to the journal become
 * one query. A statement that refuses when it changes no row makes the database refuse the whole, so that the outcome need not be waited for.
 */
export class PostgresUnit {
  private readonly parts: UnitQuery[] = [];

  constructor(private readonly statements: readonly Statement[]) {
    let group: number[] = [];
    const flush = (): void => {
      if (group.length > 0) this.parts.push(new MergedQuery(statements, group));
      group = [];
    };
    statements.forEach((statement, place) => {
      if (!statement.journal && !statement.independent) {
        flush();
        this.parts.push(statement.parents ? new MergedQuery(statements, [place]) : single(statement, place));
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

  get queries(): PostgresQuery[] {
    return this.parts.map(({ query }) => query);
  }

  /** @throws the error of the first `refuse` callback that returns one */
  outcomes(results: readonly PostgresResult[]): Outcome[] {
    const outcomes = this.statements.map((): Outcome => ({ changed: 0, rows: [] }));
    this.parts.forEach((part, index) => part.read(results[index] ?? { rowCount: 0, rows: [], command: '' }, outcomes));
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

function single(statement: Statement, place: number): UnitQuery {
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
