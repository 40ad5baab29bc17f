import { Table, TableIndex, type TableColumnOptions, type TableForeignKeyOptions, type TableIndexOptions } from 'typeorm';

type Extra = Partial<TableColumnOptions>;

export const id = (name: string, extra: Extra = {}): TableColumnOptions => ({ name, type: 'varchar', length: '36', ...extra });
export const key = (name: string): TableColumnOptions => id(name, { isPrimary: true });
export const varchar = (name: string, length = 255, extra: Extra = {}): TableColumnOptions => ({
  name,
  type: 'varchar',
  length: String(length),
  ...extra,
});
export const text = (name: string, extra: Extra = {}): TableColumnOptions => ({ name, type: 'text', ...extra });
export const json = text;
export const instant = (name: string, extra: Extra = {}): TableColumnOptions => ({ name, type: 'bigint', ...extra });
export const counter = instant;
export const integer = (name: string, extra: Extra = {}): TableColumnOptions => ({ name, type: 'integer', ...extra });
export const flag = (name: string, extra: Extra = {}): TableColumnOptions => ({ name, type: 'boolean', ...extra });
export const optional: Extra = { isNullable: true };
export const primary: Extra = { isPrimary: true };

/** A foreign key to `id` with ON DELETE CASCADE. */
export function cascadingForeignKey(table: string, column: string, target: string): TableForeignKeyOptions {
  return {
    name: `fk_${table}_${column}`,
    columnNames: [column],
    referencedTableName: target,
    referencedColumnNames: ['id'],
    onDelete: 'CASCADE',
  };
}

export function index(name: string, columnNames: string[], extra: Partial<TableIndexOptions> = {}): TableIndex {
  return new TableIndex({ name, columnNames, ...extra });
}

export function table(
  name: string,
  columns: TableColumnOptions[],
  rest: { foreignKeys?: TableForeignKeyOptions[]; indices?: TableIndex[] } = {},
): Table {
  return new Table({ name, columns, ...rest });
}
