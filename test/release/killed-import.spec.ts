// An import that is killed in the middle is complete after it was repeated.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import * as foreign from '../support/foreign-files.js';

const MAIN = resolve(import.meta.dirname, '../../dist/main.js');
const CONVERSATIONS = 220;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-import-'));
  await mkdir(join(folder, 'characters'));
  await writeFile(join(folder, 'characters', 'ada.json'), JSON.stringify({ name: 'Ada', bio: 'Counts.' }));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs the built program, which is killed when it writes a line that matches. */
function importing(file: string, killAt?: RegExp): Promise<{ code: number | null; signal: string | null; out: string }> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [MAIN, 'import', file], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: join(folder, 'data'),
        CHARACTERS_DIR: join(folder, 'characters'),
        EMBEDDING_PROVIDER: 'none',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (text) => (out += String(text)));
    child.stderr.on('data', (text) => {
      err += String(text);
      if (killAt?.test(err) === true) child.kill('SIGKILL');
    });
    child.on('close', (code, signal) => done({ code, signal, out: out.replaceAll(/ +/g, ' ') }));
  });
}

it('takes each message once', async () => {
  const file = join(folder, 'conversations.json');
  const all = Array.from({ length: CONVERSATIONS }, (_, index) => foreign.chatGpt(`c${index}`, `Talk ${index}`));
  await writeFile(file, JSON.stringify(all));
  expect(await importing(file, /conversations: 100/)).toMatchObject({ code: null, signal: 'SIGKILL' });
  const second = await importing(file);
  expect(second.code).toBe(0);
  const [, added = '', present = ''] = /messages (\d+) added, (\d+) there already/.exec(second.out) ?? [];
  expect(Number(added) + Number(present)).toBe(CONVERSATIONS * 4);
  expect(Number(present)).toBeGreaterThanOrEqual(400);
  expect(Number(added)).toBeGreaterThan(0);
  expect((await importing(file)).out).toContain(`messages 0 added, ${CONVERSATIONS * 4} there already`);
});
