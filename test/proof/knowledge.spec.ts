// An ingestion outlives kill -9: it goes on where it was, and ends with every piece once.
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { form, storedContents } from '../support/uploads.js';
import { killAll, ServerProcess, type ServerEnv } from '../crash/support/server-process.js';

type Data = ApiResponse['body'];

const KILLS = 2;
// So many that a busy machine cannot store them all between two requests.
const SECTIONS = 9000;
const handbook = Array.from(
  { length: SECTIONS },
  (_, index) => `# Section ${index}\n\n${`Sentence of section ${index} about the lamp. `.repeat(2)}`,
).join('\n\n');

describe('a server that is killed while it ingests a document', () => {
  let directory: string;
  let env: ServerEnv;
  let server: ServerProcess;
  const api = new ApiClient(() => server.url);

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'parley-knowledge-'));
    mkdirSync(join(directory, 'characters'));
    writeFileSync(join(directory, 'characters', 'one.json'), JSON.stringify({ name: 'One', bio: 'An agent of the tests.' }));
    env = { DATA_DIR: join(directory, 'data'), CHARACTERS_DIR: join(directory, 'characters'), LOG_LEVEL: 'fatal', RATE_LIMIT: 'off' };
    server = await ServerProcess.start(env);
  });
  afterEach(async () => {
    await killAll();
    await rm(directory, { recursive: true, force: true });
  });

  it(`continues after each of ${KILLS} kills, and finishes an interrupted deletion`, async () => {
    const path = `/api/agents/${(await api.get('/api/agents')).body.data.agents[0].id}/knowledge`;
    const { id } = (await api.post(path, form(handbook, 'handbook.md'))).body.data;
    const read = async (query = ''): Promise<Data> => (await api.get(`${path}/${id}${query}`)).body.data;
    const until = async (holds: (document: Data) => boolean): Promise<Data> => {
      for (;;) {
        const document = await read();
        if (holds(document)) return document;
      }
    };
    const createdAt = async (place: Data): Promise<number> =>
      (await api.get(`${path.replace('knowledge', 'memories')}/${place.id}`)).body.data.createdAt;
    let stored = 0;
    let first: { place: Data; at: number } | undefined;
    for (let kill = 0; kill < KILLS; kill++) {
      const before = await until(({ pieces, status }) => pieces > stored || status === 'ready');
      expect(before.status).toBe('processing');
      first ??= { place: before.places[0], at: await createdAt(before.places[0]) };
      await server.kill();
      server = await ServerProcess.start(env);
      const after = await read();
      expect(after.pieces).toBeGreaterThanOrEqual(before.pieces);
      stored = after.pieces;
    }
    const document = await until(({ status }) => status === 'ready' || status === 'failed');
    expect(document).toMatchObject({ status: 'ready', error: null, pieces: SECTIONS, progress: { done: SECTIONS, total: SECTIONS } });
    // The first piece was not stored again.
    expect(document.places[0]).toEqual(first?.place);
    expect(await createdAt(document.places[0])).toBe(first?.at);
    const positions: number[] = [];
    for (let cursor = -1; positions.length < SECTIONS;) {
      const { places } = await read(`?limit=100${cursor < 0 ? '' : `&cursor=${cursor}`}`);
      positions.push(...places.map(({ position }: Data) => position));
      cursor = positions.at(-1)!;
    }
    expect(positions).toEqual(Array.from({ length: SECTIONS }, (_, index) => index));

    const deleting = api.delete(`${path}/${id}`).catch(() => undefined);
    while ((await api.get(`${path}/${id}`)).status !== 404);
    await server.kill();
    await deleting;
    server = await ServerProcess.start(env);
    expect((await api.get(path)).body.data).toEqual({ documents: [], total: 0 });
    const memories = `${path.replace('knowledge', 'memories')}?type=knowledge&limit=1`;
    while ((await api.get(memories)).body.data.memories.length > 0);
    while ((await storedContents(join(directory, 'data', 'media'))).length > 0);
  }, 120_000);
});
