import { createHash } from 'node:crypto';
import pg from 'pg';
import { RepeatedTexts } from './repeated-texts.js';
import type { Row, SqlValue } from './statement.js';

/** A query with `$1`, `$2`, … for its values. */
export interface PostgresQuery {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

export interface PostgresResult {
  /** Rows that were changed or returned. */
  readonly rowCount: number;
  readonly rows: Row[];
  /** `COMMIT`, for example. */
  readonly command: string;
}

/** Messages of the extended query protocol, as the driver sends them. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  parse(query: { text: string; name: string }): void;
  bind(bound: { statement: string; values: unknown[] }): void;
  describe(portal: { type: 'P'; name: string }): void;
  execute(portal: { rows?: number }): void;
  sync(): void;
}

interface Field {
  readonly name: string;
}

const MAX_PREPARED = 200;

/** Names of the statements that are prepared on each connection. */
const preparedOn = new WeakMap<object, Set<string>>();
const names = new Map<string, string>();
const unnamed = new RepeatedTexts();
let generation = 0;

/**
 * Queries that are sent together, with one round trip. Outside of a transaction they are one: all of them are committed, or none. The driver
 * would end the transaction after each query.
 */
export class PipelinedQueries extends pg.Query {
  private readonly results: pg.Result[] = [];
  private readonly parsed: string[] = [];
  private current: pg.Result | undefined;

  /**
   * @param prepares whether statements stay prepared on their connection, which a pooler between the server and PostgreSQL may not allow
   */
  constructor(
    readonly queries: readonly PostgresQuery[],
    private readonly prepares: boolean,
    private readonly done: (error: Error | null, results: readonly PostgresResult[]) => void,
  ) {
    super('');
    this.submit = (connection) => this.send(connection as unknown as Wire);
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    (this.result() as unknown as { addFields(fields: Field[]): void }).addFields(fields);
  }

  handleDataRow({ fields }: { fields: unknown[] }): void {
    const result = this.result() as unknown as { parseRow(fields: unknown[]): Row; addRow(row: Row): void };
    result.addRow(result.parseRow(fields));
  }

  handleCommandComplete(message: unknown): void {
    const result = this.result();
    (result as unknown as { addCommandComplete(message: unknown): void }).addCommandComplete(message);
    this.results.push(result);
    this.current = undefined;
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handleError(error: Error): void {
    // Which of the new ones had been prepared before the error is unknown. All get a new name when a prepared one is not valid any more.
    const renamed = isStalePlan(error) ? this.queries.map(({ text }) => text) : this.parsed;
    if (renamed.length > 0) generation += 1;
    for (const text of renamed) names.delete(text);
    this.done(error, []);
  }

  handleReadyForQuery(): void {
    this.done(
      null,
      this.results.map(({ rowCount, rows, command }) => ({ rowCount: rowCount ?? 0, rows, command })),
    );
  }

  private result(): pg.Result {
    return (this.current ??= new pg.Result('', pg.types));
  }

  private send(wire: Wire): null {
    const prepared = preparedOn.get(wire) ?? new Set<string>();
    preparedOn.set(wire, prepared);
    wire.stream.cork();
    try {
      for (const { text, values } of this.queries) {
        const name = this.prepares ? nameOf(text, prepared) : '';
        if (name === '' || !prepared.has(name)) {
          wire.parse({ text, name });
          if (name !== '') {
            prepared.add(name);
            this.parsed.push(text);
          }
        }
        wire.bind({ statement: name, values: values.map(written) });
        wire.describe({ type: 'P', name: '' });
        wire.execute({});
      }
      wire.sync();
    } finally {
      wire.stream.uncork();
    }
    return null;
  }
}

/** True when a statement has to be prepared again: a table has changed since, or a pooler has changed the connection. */
export function isStalePlan(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === '26000' || (code === '0A000' && /cached plan/.test(message ?? ''));
}

/** Sends queries together; see `PipelinedQueries`. @throws the error of the first that fails; none of them has an effect then */
export function sendTogether(
  client: pg.ClientBase,
  queries: readonly PostgresQuery[],
  prepares: boolean,
): Promise<readonly PostgresResult[]> {
  return new Promise((resolve, reject) => {
    client.query(new PipelinedQueries(queries, prepares, (error, results) => (error ? reject(error) : resolve(results))));
  });
}

/** Empty for a statement that is not prepared, because it is rare or too many others are. */
function nameOf(text: string, prepared: ReadonlySet<string>): string {
  let name = names.get(text);
  if (name === undefined) {
    if (names.size >= MAX_PREPARED || !unnamed.repeats(text)) return '';
    name = `p${createHash('sha256').update(text).digest('base64url').slice(0, 22)}_${generation}`;
    names.set(text, name);
  }
  return prepared.has(name) || prepared.size < MAX_PREPARED ? name : '';
}

function written(value: SqlValue): unknown {
  if (value === null || typeof value === 'string') return value;
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : String(value);
}
