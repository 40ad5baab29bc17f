// Unhandled failures of a plugin do not stop the server.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { killAll, ServerProcess } from './support/server-process.js';

let folder = '';
afterEach(async () => {
  await killAll();
  await rm(folder, { recursive: true, force: true });
});

const FAILURES = {
  rejects: `Promise.reject(new Error('a rejection'));`,
  'rejects-text': `Promise.reject('a text');`,
  'throws-later': `setTimeout(() => { throw new Error('a timer'); });`,
  'throws-in-event': `import('node:events').then(({ EventEmitter }) => new EventEmitter().emit('error', new Error('an event')));`,
  'throws-in-microtask': `queueMicrotask(() => { throw new Error('a microtask'); });`,
};

describe('a plugin that fails outside of a request', () => {
  it('on import, on start or in a handler leaves the server running, and the log names it', async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-plugins-'));
    const PLUGINS_DIR = join(folder, 'plugins');
    await mkdir(PLUGINS_DIR);
    for (const [name, source] of Object.entries(FAILURES)) {
      await writeFile(
        join(PLUGINS_DIR, `${name}.mjs`),
        `${source}
        export default {
          name: '${name}',
          init() { ${source} },
          routes: [{ type: 'GET', path: '/${name}', handler(request, response) { ${source} response.json({ fine: true }); } }],
        };`,
      );
    }
    const linked = `{ setTimeout(() => { throw new Error('behind a link'); }); response.json({ fine: true }); }`;
    await writeFile(
      join(folder, 'behind.mjs'),
      `export default { name: 'linked', routes: [{ type: 'GET', path: '/linked', handler(request, response) ${linked} }] };`,
    );
    await symlink(join(folder, 'behind.mjs'), join(PLUGINS_DIR, 'linked.mjs'));
    await mkdir(join(folder, 'characters'));
    await writeFile(join(folder, 'characters', 'ada.json'), JSON.stringify({ name: 'Ada', bio: 'a' }));
    const server = await ServerProcess.start({ DATA_DIR: join(folder, 'data'), CHARACTERS_DIR: join(folder, 'characters'), PLUGINS_DIR });
    for (const name of [...Object.keys(FAILURES), 'linked', ...Object.keys(FAILURES)]) {
      const response = await fetch(`${server.url}/${name}`);
      expect({ name, status: response.status, body: await response.json() }).toEqual({ name, status: 200, body: { fine: true } });
    }
    server.signal('SIGTERM');
    expect(await server.exited).toMatchObject({ code: 0 });
    for (const words of ['a rejection', 'a text', 'a timer', 'an event', 'a microtask']) expect(server.stdout).toContain(words);
    for (const name of ['throws-later', 'linked']) expect(server.stdout).toContain(`uncaught exception in plugin ${name}.mjs`);
  });
});
