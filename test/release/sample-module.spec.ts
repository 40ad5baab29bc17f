// docs/guides/write-a-module.md, followed to the letter in a copy of the program: its files and its two lines are all that a module needs.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ReadonlyVisitor } from '@nestjs/swagger/plugin';
import ts from 'typescript';
import { readSources } from '../../scripts/openapi-sources.mjs';
import type { ApiDocument } from '../../src/openapi/document.js';
import { ADA, type TestApp } from '../support/create-test-app.js';
import { SocketClient } from '../support/socket-client.js';
import { serverEvents } from '../support/sse-client.js';

const ROOT = resolve(import.meta.dirname, '../..');
const COPIED = ['src', 'client/src', 'test/support', 'package.json', 'tsconfig.json', 'tsconfig.build.json', '.dependency-cruiser.mjs'];
const ADDED = ['src/app.module.ts', '.dependency-cruiser.mjs'];
const MODULE = 'src/modules/bookmarks';
const USER = 'dddddddd-0000-4000-8000-000000000001';

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
let test: TestApp | undefined;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-module-')));
  const filter = (path: string): boolean => !path.endsWith('.spec.ts');
  for (const path of COPIED) await cp(join(ROOT, path), join(folder, path), { recursive: true, filter });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  expect(await followGuide()).toEqual(ADDED);
  const { createTestApp } = await ofTheCopy<typeof import('../support/create-test-app.js')>('test/support/create-test-app.ts');
  test = await createTestApp({ env: { BOOKMARK_LIMIT: '1' } });
});

afterAll(async () => {
  await test?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Writes the guide's files and adds its lines. @returns the files that lines were added to */
async function followGuide(): Promise<string[]> {
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
      const [start] = /^(?:export )?const (?:LOADED = .*|MODULES = \{)$/m.exec(before) ?? [];
      if (start === undefined) throw new Error(`${path} has no list that begins with "const LOADED" or "const MODULES"`);
      await writeFile(target, before.replace(start, `${start}\n${text.trimEnd()}`));
    }
  }
  return added;
}

/** A module of the copy, which shares nothing with that of the repository. */
function ofTheCopy<M>(path: string): Promise<M> {
  return import(pathToFileURL(join(folder, path)).href) as Promise<M>;
}

async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }> {
  const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await fetch(test!.url + path, { method, ...init });
  return { status: response.status, body: await response.json() };
}

describe('a module of one folder and two lines', () => {
  it('serves its operations, appends to the journal, and refuses with its own code', async () => {
    const participants = { participantCentralUserIds: [USER, ADA.id] };
    const channel = (await ask('POST', '/api/messaging/channels', { name: 'Groceries', ...participants })).body.data;
    const posted = { author_id: USER, content: 'Remember the milk.', message_server_id: channel.messageServerId };
    const { data: message } = (await ask('POST', `/api/messaging/channels/${channel.id}/messages`, posted)).body;
    const path = `/api/messaging/channels/${channel.id}`;
    const stream = serverEvents(await fetch(`${test!.url}${path}/events`));
    await stream.next();
    const socket = await SocketClient.connect(test!.url);
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
    const { TABLES } = await ofTheCopy<typeof import('../../src/cli/reference-tables.js')>('src/cli/reference-tables.ts');
    const tables = TABLES.map(({ render }) => render()).join('\n');
    for (const row of [
      /`BOOKMARK_LIMIT` +\| `100`/,
      /`BOOKMARK_LIMIT_REACHED` +\| 409/,
      /`bookmark.created` +\| A message was bookmarked. +\| `bookmarkCreated`/,
      /`bookmarks.created` +\| `parley_bookmarks_created_total` +\| counter/,
    ]) {
      expect(tables).toMatch(row);
    }
  });

  it('compiles, and is in the OpenAPI document', async () => {
    await writeFile(join(folder, MODULE, 'mistakes.ts'), MISTAKES);
    const program = ReadonlyVisitor.createTsProgram(join(folder, 'tsconfig.build.json'));
    const checked = program
      .getSourceFiles()
      .filter(({ fileName }) => [MODULE, ...ADDED].some((path) => fileName.startsWith(join(folder, path))));
    expect(checked.length).toBeGreaterThan(10);
    const faults = checked.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]);
    expect(ts.formatDiagnostics(faults, { getCanonicalFileName: String, getCurrentDirectory: () => folder, getNewLine: () => '\n' })).toBe(
      '',
    );

    const sources = await readSources(program, folder, { folder: join(folder, 'src'), file: 'openapi-metadata.ts' });
    const { describeApi } = await ofTheCopy<typeof import('../../src/openapi/document.js')>('src/openapi/document.ts');
    const document: ApiDocument = await describeApi(test!.app, sources);
    const operation = document.paths['/api/messaging/channels/{channelId}/bookmarks']!['post']!;
    expect(operation).toMatchObject({ tags: ['bookmarks'], summary: 'Bookmarks a message of a channel.' });
    expect(JSON.stringify(operation.responses['409'])).toContain('BOOKMARK_LIMIT_REACHED');
  });

  it('keeps the rules for dependencies', async () => {
    // What the module imports is looked at, and not what that imports in turn.
    const others = 'node_modules/|^src/(?!modules/bookmarks/|app\\.module\\.ts$)';
    const rules = ['--config', '.dependency-cruiser.mjs', '--do-not-follow', others];
    const cruised = await printed('node_modules/dependency-cruiser/bin/dependency-cruise.mjs', MODULE, 'src/app.module.ts', ...rules);
    expect(cruised).toContain('no dependency violations found');
    expect(await printed('scripts/lint/owned-names.mjs', folder)).toBe('');
  });
});

/** What a script of the repository says of the copy. */
async function printed(script: string, ...args: string[]): Promise<string> {
  const run = promisify(execFile)(process.execPath, [join(ROOT, script), ...args], { cwd: folder });
  // A violation ends a script with an error, which has its output too.
  return (await run.catch((error: { stdout: string }) => error)).stdout;
}
