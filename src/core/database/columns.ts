import { Column, PrimaryColumn, type ColumnOptions } from 'typeorm';

type Options = Pick<ColumnOptions, 'name' | 'nullable' | 'primary' | 'select'>;

/** A UUID. `varchar` because both engines have it and name-derived ids have no RFC version. */
export const IdColumn = (options: Options = {}): PropertyDecorator => Column({ type: 'varchar', length: 36, ...options });
export const PrimaryIdColumn = (options: { name?: string } = {}): PropertyDecorator =>
  PrimaryColumn({ type: 'varchar', length: 36, ...options });
/** An instant in epoch milliseconds, set by the program and never by the database. */
export const InstantColumn = (options: Options = {}): PropertyDecorator => Column({ type: 'bigint', ...options });
/** A whole number beyond 32 bits. */
export const CounterColumn = InstantColumn;
export const TextColumn = (options: Options = {}): PropertyDecorator => Column({ type: 'text', ...options });
export const NameColumn = (options: Options & { length?: number } = {}): PropertyDecorator =>
  Column({ type: 'varchar', length: 255, ...options });
/** JSON stored as text, the only form that is the same on both engines. */
export const JsonColumn = (options: Options = {}): PropertyDecorator => Column({ type: 'simple-json', ...options });
