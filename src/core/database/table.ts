import { getMetadataArgsStorage } from 'typeorm';
import type { SqlValue, Statement } from './statement.js';

/** SQL fragments and conversions of a table, derived from its entity. */
export interface EntityTable<T extends object> {
  /** Select list with the columns named as properties: `"id", "channel_id" AS "channelId"`. */
  readonly columns: string;
  /** As `columns`, with a table alias: `m."id", m."channel_id" AS "channelId"`. */
  columnsOf(alias: string): string;
  /** SQL for the bytes of a row's texts, which both engines tell without reading them; with a table alias. */
  bytesOf(alias: string): string;
  /** As `bytesOf`, of a query whose columns are named as properties. */
  bytesIn(alias: string): string;
  /**
   * Converts a row that was selected with `columns` or `columnsOf` to an object, in place, so call it once per row. Other columns stay
   * as the driver returned them.
   */
  read<R extends object>(row: R): R & T;
  /**
   * Inserts an object; undefined is stored as null. Without a suffix, the statement is `independent`.
   *
   * @param suffix a constant, for example `ON CONFLICT (id) DO NOTHING`
   */
  insert(values: T, suffix?: string): Statement;
  /** As `insert`, for several objects. The text depends on their number, so callers bound it. */
  insertAll(values: readonly T[], suffix?: string): Statement;
  /** Column names for an `INSERT` that computes further columns: `"id", "channel_id"`. */
  readonly names: string;
  /** For an `UPDATE`: `"name" = ?, "channel_id" = ?`. */
  readonly assignments: string;
  /** Values of an object in the order of `names` and `assignments`. */
  params(values: T): SqlValue[];
  /** The table with only these columns. */
  pick<K extends keyof T>(...properties: K[]): EntityTable<Pick<T, K>>;
  /** The table without these columns. */
  omit<K extends keyof T>(...properties: K[]): EntityTable<Omit<T, K>>;
}

/** The properties of an entity that are columns. Relations are declared as optional and excluded. */
export type ColumnsOf<E> = { readonly [K in keyof E as undefined extends E[K] ? never : K]: E[K] };

interface Column {
  readonly property: string;
  readonly name: string;
  readonly type: string;
}

type Values = Record<string, unknown>;

/**
 * The table of an entity, for repositories with their own SQL. Relations are not columns. Numbers, booleans and JSON are returned as the
 * entity declares them, on both engines.
 *
 * @param unselected columns to include although the entity declares `select: false`
 * @throws Error when the class is not an entity
 */
export function tableOf<E extends object, K extends keyof E = never>(
  entity: new () => E,
  ...unselected: K[]
): EntityTable<ColumnsOf<E> & Required<Pick<E, K>>> {
  const storage = getMetadataArgsStorage();
  const name = storage.tables.find(({ target }) => target === entity)?.name;
  if (name === undefined) throw new Error(`${entity.name} is not an entity`);
  const columns = storage.columns
    .filter(({ target }) => target === entity)
    .filter(({ propertyName, options }) => options.select !== false || unselected.includes(propertyName as K))
    .map(({ propertyName, options }) => ({ property: propertyName, name: options.name ?? propertyName, type: String(options.type) }));
  return tableWith(name, columns);
}

function tableWith<T extends object>(table: string, columns: readonly Column[]): EntityTable<T> {
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const placeholders = `(${columns.map(() => '?').join(', ')})`;
  const insertion = `INSERT INTO ${table} (${names}) VALUES ${placeholders}`;
  const listed = (prefix: string): string => columns.map((column) => `${prefix}${selected(column)}`).join(', ');
  const texts = columns.filter(({ type }) => UNBOUNDED.has(type));
  const bytes = (alias: string, nameOf: (column: Column) => string): string =>
    texts.map((column) => `coalesce(octet_length(${alias}."${nameOf(column)}"), 0)`).join(' + ') || '0';
  // Collected once: most columns need no conversion, and rows are read often.
  const converted = columns.flatMap(({ property, type }) => {
    const convert = CONVERSIONS[type];
    return convert ? [{ property, convert }] : [];
  });
  const params = (values: T): SqlValue[] => columns.map((column) => written(column, values as Values));
  return {
    columns: listed(''),
    columnsOf: (alias) => listed(`${alias}.`),
    bytesOf: (alias) => bytes(alias, ({ name }) => name),
    bytesIn: (alias) => bytes(alias, ({ property }) => property),
    read: <R extends object>(row: R): R & T => {
      const values = row as Values;
      for (const { property, convert } of converted) {
        const value = values[property];
        if (value !== null) values[property] = convert(value);
      }
      return row as R & T;
    },
    insert: (values, suffix = '') =>
      suffix === ''
        ? { sql: insertion, params: params(values), independent: true }
        : { sql: `${insertion} ${suffix}`, params: params(values) },
    insertAll: (values, suffix = '') => ({
      sql: `${insertion}${`, ${placeholders}`.repeat(values.length - 1)} ${suffix}`.trimEnd(),
      params: values.flatMap(params),
    }),
    names,
    assignments: columns.map(({ name }) => `"${name}" = ?`).join(', '),
    params,
    pick: (...properties) =>
      tableWith(
        table,
        columns.filter(({ property }) => properties.includes(property as never)),
      ),
    omit: (...properties) =>
      tableWith(
        table,
        columns.filter(({ property }) => !properties.includes(property as never)),
      ),
  };
}

function selected({ property, name }: Column): string {
  return property === name ? `"${name}"` : `"${name}" AS "${property}"`;
}

const UNBOUNDED = new Set(['text', 'simple-json']);

// PostgreSQL returns bigint as text, SQLite a boolean as 0 or 1; JSON is text on both.
const CONVERSIONS: Readonly<Record<string, (value: unknown) => unknown>> = {
  bigint: Number,
  boolean: (value) => value === true || value === 1,
  'simple-json': (value) => JSON.parse(value as string) as unknown,
};

function written({ property, type }: Column, values: Values): SqlValue {
  const value = values[property] ?? null;
  return (type === 'simple-json' && value !== null ? JSON.stringify(value) : value) as SqlValue;
}
