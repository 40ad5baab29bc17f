import type { Store } from '../../core/database/index.js';
import { FORGOTTEN_USER_ID, rowStep, type ErasureStep } from '../../core/personal-data/index.js';

// Keys and agents are the operator's; the journal has a step of its own; vectors are numbers; sealed texts cannot be searched.
const EXCLUDED = new Set([
  'agents',
  'api_keys',
  'forget_requests',
  'forget_scope',
  'installation_key',
  'journal',
  'memory_vectors',
  'vault_check',
]);
const TEXTS = new Set(['text', 'simple-json', 'varchar']);
// Columns of ids have steps in their modules: whether a row stays depends on what it is.
const ID_LENGTH = '36';

/**
 * Steps that replace a user's id in what is kept, such as the metadata and the name of a group: one for each table with texts or JSON,
 * whichever module it belongs to, so that a new table is covered.
 */
export function idMentionSteps({ entityMetadatas }: Store['readSource']): ErasureStep[] {
  return entityMetadatas.flatMap(({ tableName, columns, primaryColumns }) => {
    const texts = columns
      .filter(({ type, length, isPrimary }) => TEXTS.has(String(type)) && length !== ID_LENGTH && !isPrimary)
      .map((column) => `"${column.databaseName}"`);
    if (EXCLUDED.has(tableName) || texts.length === 0) return [];
    const isTimed = columns.some((column) => column.databaseName === 'created_at');
    return [
      rowStep(
        { kind: `mentions in ${tableName}`, effect: 'redacted', order: 48 },
        { table: tableName, key: primaryColumns.map((column) => column.databaseName) },
        `UPDATE ${tableName} SET ${texts.map((column) => `${column} = replace(replace(${column}, ?, '${FORGOTTEN_USER_ID}'), ?, '${FORGOTTEN_USER_ID}')`).join(', ')}`,
        `(${texts.map((column) => `lower(${column}) LIKE ?`).join(' OR ')})${isTimed ? ' AND created_at <= ?' : ''}`,
        ({ userId, at }) => [
          ...texts.flatMap(() => [userId, userId.toUpperCase()]),
          ...texts.map(() => `%${userId}%`),
          ...(isTimed ? [at] : []),
        ],
      ),
    ];
  });
}
