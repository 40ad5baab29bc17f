import { mkdir } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { createApp } from '../../src/bootstrap/create-app.js';
import { recentLines } from '../../src/core/logging/index.js';
import { PluginWatcher } from '../../src/modules/plugins/plugin-watcher.js';
import { FakeClock } from '../support/fake-clock.js';
import { placeDatabase, testConfig } from '../support/test-store.js';

const refused = new Error('a module refuses to start');

describe('a start that fails after background work has begun', () => {
  it('stops the background work before it closes the database', async () => {
    const { config, remove } = await testConfig('sqlite', { EMBEDDING_PROVIDER: 'none' });
    const clock = new FakeClock();
    recentLines.clear();
    let begun = 0;
    try {
      await placeDatabase(config);
      await mkdir(config.charactersDir);
      await mkdir(config.pluginsDir);
      const start = createApp(config, {
        clock,
        beforeStart: (app) => {
          app.get(PluginWatcher).onApplicationBootstrap = () => {
            begun = clock.scheduled;
            return Promise.reject(refused);
          };
        },
      });
      await expect(start).rejects.toBe(refused);
      expect(begun).toBeGreaterThan(0);
      expect(clock.scheduled).toBe(0);
      expect([...recentLines.newestFirst()].filter(({ level }) => level === 'error')).toEqual([]);
    } finally {
      await remove();
    }
  });
});
