import { Column, PrimaryColumn, type ColumnOptions } from 'typeorm';

// PostgreSQL hands bigint over as text, SQLite as a number: entities always hold numbers.
const wholeNumber = {
  to: (value: number | null | undefined) => value,
  from: (value: string | number | null) => (value === null ? null : Number(value)),
};

type Options = Pick<ColumnOptions, 'name' | 'nullable' | 'primary'>;

/** A UUID. `varchar` because both engines have it and name-derived ids are no RFC versions. */
export const IdColumn = (options: Options = {}): PropertyDecorator => Column({ type: 'varchar', length: 36, ...options });
export const PrimaryIdColumn = (options: { name?: string } = {}): PropertyDecorator =>
  PrimaryColumn({ type: 'varchar', length: 36, ...options });
/** An instant in epoch milliseconds, set by the program and never by the database. */
export const InstantColumn = (options: Options = {}): PropertyDecorator => Column({ type: 'bigint', transformer: wholeNumber, ...options });
/** A whole number beyond 32 bits. */
export const CounterColumn = InstantColumn;
export const TextColumn = (options: Options = {}): PropertyDecorator => Column({ type: 'text', ...options });
export const NameColumn = (options: Options & { length?: number } = {}): PropertyDecorator =>
  Column({ type: 'varchar', length: 255, ...options });
/** JSON kept as text, the one form that both engines store the same way. */
export const JsonColumn = (options: Options = {}): PropertyDecorator => Column({ type: 'simple-json', ...options });
