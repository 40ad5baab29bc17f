import type { Store } from '../../core/database/index.js';

// A user as one agent knows it.
const OF_USERS = 'entities';
const ID_LENGTH = '36';

/**
 * A query that finds an id among the rows of every table whose rows have an id of their own: channels, messages, sessions, keys and so on.
 *
 * @returns `params` is how often the id is a parameter
 */
export function otherIdsQuery({ entityMetadatas }: Store['readSource']): { readonly sql: string; readonly params: number } {
  const tables = entityMetadatas.filter(({ tableName, primaryColumns }) => {
    const [key] = primaryColumns;
    return tableName !== OF_USERS && primaryColumns.length === 1 && key?.databaseName === 'id' && key.length === ID_LENGTH;
  });
  const parts = tables.map(({ tableName }) => `SELECT 1 AS found FROM ${tableName} WHERE id = ?`);
  return { sql: `${parts.join(' UNION ALL ')} LIMIT 1`, params: tables.length };
}
