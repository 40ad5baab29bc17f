import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { callRoute } from 'parley-server/plugin-sdk/testing';
import plugin from './index.js';

describe('static-pages', () => {
  it('says which agent answers', async () => {
    const answer = await callRoute(plugin, { path: '/static-pages/agent.json' }, { agent: { agentId: 'a-1', name: 'Iris' } });
    expect(answer).toMatchObject({ status: 200, body: { name: 'Iris' } });
    expect(JSON.stringify(answer.body)).not.toContain('a-1');
  });

  it('serves a folder that has a page', () => {
    const [, files] = plugin.routes ?? [];
    expect(files).toMatchObject({ type: 'STATIC', filePath: 'public' });
    expect(existsSync(join(import.meta.dirname, 'public', 'index.html'))).toBe(true);
  });
});
