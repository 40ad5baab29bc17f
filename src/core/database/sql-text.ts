import type { SqlValue } from './statement.js';

const parts = new Map<string, string[]>();

/** Replaces the placeholders of a statement with literals, because a SQLite script of several statements has no parameters. */
export function inlineValues(sql: string, params: readonly SqlValue[]): string {
  let pieces = parts.get(sql);
  if (!pieces) {
    pieces = sql.split('?');
    parts.set(sql, pieces);
  }
  if (pieces.length !== params.length + 1) {
    throw new Error(`statement has ${pieces.length - 1} placeholders and ${params.length} values: ${sql}`);
  }
  let text = pieces[0] ?? '';
  for (let index = 0; index < params.length; index++) text += literal(params[index] ?? null) + (pieces[index + 1] ?? '');
  return text;
}

/** A value as a SQLite literal. */
function literal(value: SqlValue): string {
  if (value === null) return 'NULL';
  switch (typeof value) {
    case 'string':
      // SQLite ends the script at a NUL character, so text that contains one is written as bytes.
      return value.includes('\0') ? `CAST(X'${Buffer.from(value, 'utf8').toString('hex')}' AS TEXT)` : `'${value.replaceAll("'", "''")}'`;
    case 'boolean':
      return value ? '1' : '0';
    case 'number':
      if (!Number.isFinite(value)) throw new Error(`${value} cannot be stored`);
      return String(value);
    default:
      return `X'${Buffer.from(value).toString('hex')}'`;
  }
}

/** Has no characters that JSON escapes. */
const PLAIN_ID = /^[\w-]*$/;

const numberedStatements = new Map<string, string>();

/** Converts `?` placeholders to `$1`, `$2`, … for PostgreSQL. Results are cached, since statement texts are constants. */
export function numberPlaceholders(sql: string): string {
  let translated = numberedStatements.get(sql);
  if (translated === undefined) {
    let position = 0;
    translated = sql.replace(/\?/g, () => `$${++position}`);
    numberedStatements.set(sql, translated);
  }
  return translated;
}

/**
 * A list of ids as one JSON parameter, for `IN (SELECT key FROM json_each(?))`. The statement text is then the same for any number of ids,
 * and both engines read the keys of an object with the same function name.
 */
export function idKeys(ids: Iterable<string>): string {
  const all = [...new Set(ids)];
  // Objects of many keys are slow to make.
  return all.length === 0 ? '{}' : `{${all.map((id) => (PLAIN_ID.test(id) ? `"${id}"` : JSON.stringify(id))).join(':0,')}:0}`;
}
