// What a crash of the server leaves, and how it is packed for an issue.
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterAll, expect, it } from '@jest/globals';
import JSZip from 'jszip';
import { killAll, ServerProcess } from './support/server-process.js';

const MAIN = resolve(import.meta.dirname, '../../dist/main.js');
const SECRET = 'a-secret-that-nobody-may-read';
// Throws once the server is there, outside of any request.
const THROWING = `data:text/javascript,${encodeURIComponent(`process.once('SIGUSR2', () => { throw new Error('planted by a test'); });`)}`;

const folder = await mkdtemp(join(tmpdir(), 'parley-faults-'));
const dataDir = join(folder, 'data');
const env = { DATA_DIR: dataDir, API_KEY: SECRET, NODE_OPTIONS: `--import=${THROWING}` };

afterAll(async () => {
  await killAll();
  await rm(folder, { recursive: true, force: true });
});

it('an exception that stops the server is recorded, and "parley report" packs the record', async () => {
  await mkdir(dataDir);
  const server = await ServerProcess.start(env);
  server.signal('SIGUSR2');
  expect(await server.exited).toMatchObject({ code: 1 });
  const names = await readdir(join(dataDir, 'faults'));
  expect(names).toHaveLength(1);
  const text = await readFile(join(dataDir, 'faults', names[0]!), 'utf8');
  expect(JSON.parse(text)).toMatchObject({
    kind: 'error',
    title: 'uncaught exception: planted by a test',
    error: { stack: expect.stringContaining('planted by a test') },
    configuration: { DATA_DIR: dataDir, API_KEY: '[hidden]' },
  });

  const report = (...args: string[]) =>
    spawnSync(process.execPath, [MAIN, 'report', ...args], {
      cwd: folder,
      env: { ...process.env, DATA_DIR: dataDir, API_KEY: SECRET },
      encoding: 'utf8',
    });
  const { status, stdout } = report('fault.zip');
  expect([status, stdout]).toEqual([0, expect.stringContaining(`  faults/${names[0]}\n`)]);
  const zip = await JSZip.loadAsync(await readFile(join(folder, 'fault.zip')));
  expect(Object.keys(zip.files).sort()).toEqual(['about.json', 'faults/', `faults/${names[0]}`]);
  expect(await zip.file(`faults/${names[0]}`)?.async('text')).toBe(text);
  const about = await zip.file('about.json')?.async('text');
  expect(JSON.parse(about ?? '')).toMatchObject({ database: 'sqlite', configuration: { API_KEY: '[hidden]' } });
  expect(`${text}${about}`).not.toContain(SECRET);

  expect(report('fault.zip')).toMatchObject({ status: 1, stderr: `${join(folder, 'fault.zip')} exists. Name another file.\n` });
  expect(report('one.zip', 'two.zip').status).toBe(2);
});
