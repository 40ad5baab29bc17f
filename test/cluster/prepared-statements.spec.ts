// Which statements stay prepared on a connection to PostgreSQL.
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { openTestStore, type TestStore } from '../support/test-store.js';

let test: TestStore;
beforeEach(async () => {
  test = await openTestStore('postgres');
});
afterEach(() => test.close());

it('only repeated statements are prepared, however many others run before', async () => {
  const { reader } = test.store;
  for (let index = 0; index < 300; index += 1) await reader.rows(`SELECT ${index} AS rare`);
  const prepared = async (): Promise<string[]> => {
    for (let use = 0; use < 3; use += 1) await reader.rows('SELECT 1 AS frequent');
    // One after another, queries use the same connection, unless one in the background takes it in between.
    const rows = await reader.rows<{ statement: string }>('SELECT statement FROM pg_prepared_statements');
    return rows.map(({ statement }) => statement).filter((text) => /rare|frequent/.test(text));
  };
  let found: string[] = [];
  for (let attempt = 0; attempt < 10 && found.length === 0; attempt += 1) found = await prepared();
  expect(found).toEqual(['SELECT 1 AS frequent']);
});
