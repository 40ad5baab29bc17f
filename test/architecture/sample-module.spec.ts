// docs/guides/write-a-module.md, followed to the letter in a copy of the program: its files and its two lines are all that a module needs.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { killAll, ServerProcess } from '../crash/support/server-process.js';
import { SocketClient } from '../support/socket-client.js';
import { serverEvents } from '../support/sse-client.js';

const ROOT = resolve(import.meta.dirname, '../..');
const COPIED = [
  ...['src', 'client', 'console', 'scripts', 'characters', 'docs/reference'],
  ...['package.json', 'tsconfig.json', 'tsconfig.build.json', 'tsconfig.sdk.json', 'nest-cli.json', '.swcrc', '.dependency-cruiser.mjs'],
];
const USER = 'dddddddd-0000-4000-8000-000000000001';
const run = promisify(execFile);

// Each line below a @ts-expect-error has to be an error, or the copy does not compile.
const MISTAKES = `
import type { Config } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';
import { append } from '../../core/journal/index.js';
import { BOOKMARKS_METRICS } from './bookmarks.metrics.js';

export const limit = (config: Config): number => config.bookmarkLimit;
// @ts-expect-error no module has this setting
export const mistyped = (config: Config): unknown => config.bookmarkLimits;
// @ts-expect-error the payload lacks the note
export const incomplete = append('bookmark.created', null, { id: '', channelId: '', messageId: '' }, 0);
// @ts-expect-error no module has this event
export const unknownEvent = append('bookmark.burned', null, {}, 0);
// @ts-expect-error no module has this code
export const unknownCode = new AppError('BOOKMARK_BURNED', 'Nothing.');
// @ts-expect-error the metric has no labels
export const unlabelled = BOOKMARKS_METRICS.created.with({ colour: 'red' });
`;

let folder: string;
let server: ServerProcess;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-module-')));
  const filter = (path: string): boolean => !path.endsWith('.spec.ts');
  for (const path of COPIED) await cp(join(ROOT, path), join(folder, path), { recursive: true, filter });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const guide = await readFile(join(ROOT, 'docs/guides/write-a-module.md'), 'utf8');
  const added: string[] = [];
  for (const [, verb = '', path = '', text = ''] of guide.matchAll(/^```\w+ (file|add)=(\S+)\n([\s\S]*?)^```$/gm)) {
    const target = join(folder, path);
    if (verb === 'file') {
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, text);
    } else {
      added.push(path);
      const before = await readFile(target, 'utf8');
      const start = /^(const LOADED = .*|const MODULES = \{)$/m.exec(before)![0];
      await writeFile(target, before.replace(start, `${start}\n${text.trimEnd()}`));
    }
  }
  expect(added).toEqual(['src/app.module.ts', '.dependency-cruiser.mjs']);
  await writeFile(join(folder, 'src/modules/bookmarks/mistakes.ts'), MISTAKES);
  await run(process.execPath, ['scripts/build.mjs'], { cwd: folder });
  server = await ServerProcess.start(
    { DATA_DIR: join(folder, 'data'), CHARACTERS_DIR: join(folder, 'characters'), BOOKMARK_LIMIT: '1' },
    undefined,
    join(folder, 'dist/main.js'),
  );
}, 240_000);

afterAll(async () => {
  await killAll();
  await rm(folder, { recursive: true, force: true });
});

/** What a script of the copy prints. */
async function printed(...args: string[]): Promise<string> {
  return (await run(process.execPath, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 })).stdout;
}

async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }> {
  const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await fetch(server.url + path, { method, ...init });
  return { status: response.status, body: await response.json() };
}

describe('a module of one folder and two lines', () => {
  it('serves its operations, appends to the journal, and refuses with its own code', async () => {
    const [agent] = (await ask('GET', '/api/agents')).body.data.agents;
    const participants = { participantCentralUserIds: [USER, agent.id] };
    const channel = (await ask('POST', '/api/messaging/channels', { name: 'Groceries', ...participants })).body.data;
    const posted = { author_id: USER, content: 'Remember the milk.', message_server_id: channel.messageServerId };
    const { data: message } = (await ask('POST', `/api/messaging/channels/${channel.id}/messages`, posted)).body;
    const path = `/api/messaging/channels/${channel.id}`;
    const stream = serverEvents(await fetch(`${server.url}${path}/events`));
    await stream.next();
    const socket = await SocketClient.connect(server.url);
    await socket.ask('join', { channelId: channel.id, entityId: USER });

    const created = await ask('POST', `${path}/bookmarks`, { messageId: message.id, note: 'shopping' });
    expect(created).toMatchObject({ status: 201, body: { success: true, data: { messageId: message.id, note: 'shopping' } } });
    const { id } = created.body.data;
    const heard = { id, channelId: channel.id, messageId: message.id, note: 'shopping' };
    expect(await socket.waitFor('bookmarkCreated')).toMatchObject(heard);
    for await (const { event, data } of stream) {
      if (event !== 'bookmark.created') continue;
      expect(data).toMatchObject(heard);
      break;
    }
    expect((await ask('GET', `${path}/bookmarks`)).body.data.bookmarks).toEqual([created.body.data]);
    const refused = await ask('POST', `${path}/bookmarks`, { messageId: message.id, note: 'more' });
    expect(refused).toMatchObject({ status: 409, body: { success: false, error: { code: 'BOOKMARK_LIMIT_REACHED' } } });
    const faulty = await ask('POST', `${path}/bookmarks`, { messageId: message.id });
    expect(faulty).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
    expect((await ask('GET', '/api/server/health')).body).toMatchObject({ checks: { bookmarks: { limit: 1 } } });
    socket.close();
  });

  it('is in the reference: configuration, errors, events, metrics', async () => {
    const script =
      "const { TABLES } = await import('./dist/cli/reference-tables.js'); for (const { render } of TABLES) console.log(render());";
    const tables = await printed('--import', 'reflect-metadata', '--input-type=module', '-e', script);
    for (const row of [
      /`BOOKMARK_LIMIT` +\| `100`/,
      /`BOOKMARK_LIMIT_REACHED` +\| 409/,
      /`bookmark.created` +\| A message was bookmarked. +\| `bookmarkCreated`/,
      /`bookmarks.created` +\| `parley_bookmarks_created_total` +\| counter/,
    ]) {
      expect(tables).toMatch(row);
    }
  });

  it('is in the OpenAPI document', async () => {
    const document = JSON.parse(await printed('scripts/openapi.mjs', '--print'));
    const operation = document.paths['/api/messaging/channels/{channelId}/bookmarks'].post;
    expect(operation).toMatchObject({ tags: ['bookmarks'], summary: 'Bookmarks a message of a channel.' });
    expect(JSON.stringify(operation.responses['409'])).toContain('BOOKMARK_LIMIT_REACHED');
  });

  it('obeys the import rules', async () => {
    const cruiser = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
    expect(await printed(cruiser, 'src', '--config', '.dependency-cruiser.mjs')).toContain('no dependency violations found');
  });
});
