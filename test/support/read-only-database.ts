import type { Database } from 'sqlite3';
import { UnitOfWork } from '../../src/core/database/index.js';
import type { TestApp } from './create-test-app.js';

/** Makes the application's database one that can only be read, as when its disk was mounted anew after a fault; or ends that. */
export function setReadOnly({ app }: TestApp, refuse: boolean): Promise<void> {
  const { engine } = app.get<UnitOfWork, { engine: { transaction: { database: Database } } }>(UnitOfWork);
  return new Promise<void>((resolve, reject) => {
    engine.transaction.database.exec(`PRAGMA query_only=${refuse ? 'ON' : 'OFF'}`, (error) => (error ? reject(error) : resolve()));
  });
}
