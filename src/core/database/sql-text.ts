import type { SqlValue } from './statement.js';

const parts = new Map<string, string[]>();

/** A statement with its values written into it, for SQLite, where a script of many statements takes no parameters. */
export function withValues(sql: string, params: readonly SqlValue[]): string {
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

/** A value as SQLite's own notation writes it. */
function literal(value: SqlValue): string {
  if (value === null) return 'NULL';
  switch (typeof value) {
    case 'string':
      // The script ends at a NUL, so text that has one is written as bytes.
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

const numberedTexts = new Map<string, string>();

/** Turns `?` placeholders into `$1`, `$2`, …, as PostgreSQL has them; statement texts are constants, so each is translated once. */
export function numbered(sql: string): string {
  let translated = numberedTexts.get(sql);
  if (translated === undefined) {
    let position = 0;
    translated = sql.replace(/\?/g, () => `$${++position}`);
    numberedTexts.set(sql, translated);
  }
  return translated;
}

/**
 * A list of ids as one parameter, for `IN (SELECT key FROM json_each(?))`: the text of the statement is the same for any number of them,
 * and an object's keys are what both engines read with the same words.
 */
export function idKeys(ids: Iterable<string>): string {
  return JSON.stringify(Object.fromEntries([...ids].map((id) => [id, 0])));
}
