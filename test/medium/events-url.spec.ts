import { expect, it } from '@jest/globals';
import { recentLines } from '../../src/core/logging/index.js';
import { openTestStore } from '../support/test-store.js';

it('on SQLite, EVENTS_URL changes nothing, and a warning says so', async () => {
  recentLines.clear();
  // Where no server listens.
  const { store, close } = await openTestStore('sqlite', { EVENTS_URL: 'nats://127.0.0.1:1' });
  try {
    const warnings = [...recentLines.newestFirst()].filter(({ level }) => level === 'warn');
    expect(warnings).toMatchObject([{ msg: expect.stringMatching(/^EVENTS_URL has no effect/) }]);
    expect(store.notifier).toBeUndefined();
  } finally {
    await close();
  }
});
