import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { Reader, UnitOfWork, type Statement } from '../../core/database/index.js';
import { hasAtMost } from '../../core/text/index.js';
import type { PluginStore } from '../../plugin-sdk/index.js';
import { type AgentLifecycleHook } from '../agents/index.js';

const MAX_KEY_LENGTH = 255;
const MAX_VALUE_LENGTH = 1_000_000;
const MAX_KEYS = 1000;

/** Store name of the cache that all plugins of an agent share. Plugin names cannot contain a colon, so it is unique. */
export function agentCacheName(agentId: string): string {
  return `cache:${agentId}`;
}

/** Durable key-value stores of plugins. */
@Injectable()
export class PluginStores implements AgentLifecycleHook {
  constructor(
    private readonly reader: Reader,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Deletes the cache of a deleted agent. */
  onAgentDeleted({ id }: { readonly id: string }): Promise<Statement[]> {
    return Promise.resolve([{ sql: 'DELETE FROM plugin_values WHERE plugin = ?', params: [agentCacheName(id)] }]);
  }

  of(plugin: string): PluginStore {
    return {
      get: async (key) => {
        const [row] = await this.reader.rows<{ value: string }>('SELECT value FROM plugin_values WHERE plugin = ? AND "key" = ?', [
          plugin,
          key,
        ]);
        return row && (JSON.parse(row.value) as unknown);
      },
      set: async (key, value) => {
        const text = JSON.stringify(value);
        if (key === '' || !hasAtMost(key, MAX_KEY_LENGTH)) throw new Error(`a key has 1 to ${MAX_KEY_LENGTH} characters`);
        if (text === undefined) throw new Error('a value must be JSON; delete the key instead of setting undefined');
        if (!hasAtMost(text, MAX_VALUE_LENGTH)) throw new Error(`a value has at most ${MAX_VALUE_LENGTH} characters of JSON`);
        await this.unitOfWork.commit([
          {
            sql: `INSERT INTO plugin_values (plugin, "key", value, updated_at) VALUES (?, ?, ?, ?)
              ON CONFLICT (plugin, "key") DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
            params: [plugin, key, text, this.clock.now()],
          },
        ]);
      },
      delete: async (key) => {
        await this.unitOfWork.commit([{ sql: 'DELETE FROM plugin_values WHERE plugin = ? AND "key" = ?', params: [plugin, key] }]);
      },
      keys: async (prefix = '') => {
        const rows = await this.reader.rows<{ key: string }>(
          `SELECT "key" FROM plugin_values WHERE plugin = ? AND substr("key", 1, ?) = ? ORDER BY "key" LIMIT ${MAX_KEYS}`,
          [plugin, prefix.length, prefix],
        );
        return rows.map(({ key }) => key);
      },
    };
  }
}
