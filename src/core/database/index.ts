export { IdColumn, CounterColumn, InstantColumn, JsonColumn, NameColumn, PrimaryIdColumn, TextColumn } from './columns.js';
export { DatabaseModule, STORE } from './database.module.js';
export { dataSourceOptions, engineOf, type Engine } from './options.js';
export { Reader } from './reader.js';
export type { Appended, Outcome, Row, SqlValue, Statement } from './statement.js';
export { openStore, type Entities, type Store } from './store.js';
export { isForeignKeyViolation, isUniqueViolation, UnitOfWork } from './unit-of-work.js';
export type { Transaction } from './write-engine.js';
