import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createApp } from '../../src/bootstrap/create-app.js';
import { newId } from '../../src/core/ids/index.js';
import { DerivedChannels, UserIds } from '../../src/modules/messaging/index.js';
import { describeDerivedIds } from '../support/suites/derived-ids.js';
import { testConfig } from '../support/test-store.js';

describeDerivedIds('postgres');

describe('processes that start together on an empty database', () => {
  it('agree on one key, and on one channel for concurrent requests to all of them', async () => {
    const { config, remove } = await testConfig('postgres', {
      EMBEDDING_PROVIDER: 'none',
      SECRET_KEY: 'the key that all processes have, long enough',
    });
    await mkdir(config.charactersDir, { recursive: true });
    await mkdir(config.pluginsDir, { recursive: true });
    const folders = await Promise.all([1, 2, 3].map(() => mkdtemp(join(tmpdir(), 'parley-test-'))));
    const apps = await Promise.all(folders.map((dataDir) => createApp({ ...config, dataDir })));
    try {
      const people = apps.map((app) => app.get(UserIds).fromPlatform('irc', 'ann'));
      expect(new Set(people).size).toBe(1);
      const [one, other] = [newId(), newId()];
      const asked = Array.from({ length: 4 }, () => apps.map((app) => app.get(DerivedChannels).direct(one, other, 'all')));
      const channels = await Promise.all(asked.flat());
      expect(new Set(channels.map(({ id }) => id)).size).toBe(1);
    } finally {
      await Promise.all(apps.map((app) => app.close()));
      await remove();
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
    }
  });
});
