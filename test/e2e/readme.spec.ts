import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { createApp } from '../../src/bootstrap/create-app.js';
import { testConfig } from '../support/test-store.js';

const ROOT = join(import.meta.dirname, '../..');

/** Method, path and body of a curl command as the README writes it. */
function request(command: string, session: string): { path: string; body?: string } {
  const path = /localhost:3000(\S+)/.exec(command)?.[1]?.replace('$SESSION', session);
  if (path === undefined) throw new Error(`no address in: ${command}`);
  return { path, body: /-d '([^']*)'/.exec(command)?.[1] };
}

describe('the README', () => {
  it('shows a first conversation as it really runs, with the bundled agents and no model configured', async () => {
    const text = await readFile(join(ROOT, 'README.md'), 'utf8');
    const transcript = /```console\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
    const exchanges = transcript.split(/^\$ /m).filter((part) => part.startsWith('curl'));
    expect(exchanges.length).toBeGreaterThan(4);

    const { config, remove } = await testConfig('sqlite', { CHARACTERS_DIR: join(ROOT, 'characters') });
    const app = await createApp(config);
    try {
      await app.listen(0, '127.0.0.1');
      const { port } = app.getHttpServer().address() as AddressInfo;
      let session = '';
      for (const exchange of exchanges) {
        const [command = '', ...shown] = exchange.trimEnd().split('\n');
        const { path, body } = request(command, session);
        const response = await fetch(`http://127.0.0.1:${port}${path}`, {
          method: body === undefined ? 'GET' : 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        const answer = await response.text();
        expect(response.ok).toBe(true);
        const fragments = shown
          .join('…')
          .split('…')
          .map((part) => part.replace(/"sessionId":"[^"]*"/, '"sessionId":"'));
        let at = 0;
        for (const fragment of fragments.filter((part) => part.trim() !== '')) {
          const wanted = fragment.replace(/("sessionId":").*/, '$1');
          const found = answer.indexOf(wanted, at);
          expect({ command, wanted, found: found >= 0, answer: found >= 0 ? '' : answer }).toMatchObject({ found: true });
          at = found;
        }
        session = /"sessionId":"([^"]+)"/.exec(answer)?.[1] ?? session;
      }
    } finally {
      await app.close();
      await remove();
    }
  }, 60_000);
});
