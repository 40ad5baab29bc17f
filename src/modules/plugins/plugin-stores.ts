import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { Reader, UnitOfWork, type Statement } from '../../core/database/index.js';
import type { PluginStore } from '../../plugin-sdk/index.js';
import { AgentCompanions, type AgentCompanion } from '../agents/index.js';

const LONGEST_KEY = 255;
const LARGEST_VALUE = 1_000_000;
const MOST_KEYS = 1000;

/** Under which "plugin" the cache of an agent is kept, which its plugins share; no plugin can have this name. */
export function cacheOf(agentId: string): string {
  return `cache:${agentId}`;
}

/** Durable values of plugins, each plugin's apart from the others'. */
@Injectable()
export class PluginStores implements AgentCompanion, OnModuleInit {
  constructor(
    private readonly companions: AgentCompanions,
    private readonly reader: Reader,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.companions.register(this);
  }

  /** The cache of an agent that is deleted goes with it. */
  deleted({ id }: { readonly id: string }): Promise<Statement[]> {
    return Promise.resolve([{ sql: 'DELETE FROM plugin_values WHERE plugin = ?', params: [cacheOf(id)] }]);
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
        if (key === '' || key.length > LONGEST_KEY) throw new Error(`a key has 1 to ${LONGEST_KEY} characters`);
        if (text === undefined) throw new Error('a value must be JSON; delete the key instead of setting undefined');
        if (text.length > LARGEST_VALUE) throw new Error(`a value has at most ${LARGEST_VALUE} characters of JSON`);
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
          `SELECT "key" FROM plugin_values WHERE plugin = ? AND substr("key", 1, ?) = ? ORDER BY "key" LIMIT ${MOST_KEYS}`,
          [plugin, prefix.length, prefix],
        );
        return rows.map(({ key }) => key);
      },
    };
  }
}
