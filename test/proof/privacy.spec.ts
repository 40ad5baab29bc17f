// Forgetting a user outlives kill -9: it goes on where it was, and its report counts every row once.
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/core/ids/index.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { killAll, ServerProcess, type ServerEnv } from '../crash/support/server-process.js';

type Data = ApiResponse['body'];

const KILLS = 2;
const MESSAGES = 500;

describe("a server that is killed while it deletes a user's data", () => {
  let directory: string;
  let env: ServerEnv;
  let server: ServerProcess;
  const api = new ApiClient(() => server.url);

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'parley-privacy-'));
    mkdirSync(join(directory, 'characters'));
    writeFileSync(join(directory, 'characters', 'one.json'), JSON.stringify({ name: 'One', bio: 'An agent of the tests.' }));
    env = { DATA_DIR: join(directory, 'data'), CHARACTERS_DIR: join(directory, 'characters'), LOG_LEVEL: 'fatal', RATE_LIMIT: 'off' };
    server = await ServerProcess.start(env);
  });
  afterEach(async () => {
    await killAll();
    await rm(directory, { recursive: true, force: true });
  });

  it(`continues after each of ${KILLS} kills`, async () => {
    const [userId, other] = [newId(), newId()];
    const server_id = '00000000-0000-0000-0000-000000000000';
    const channel = await api.post('/api/messaging/central-channels', {
      name: 'Group',
      server_id,
      participantCentralUserIds: [userId, other],
      type: 'GROUP',
    });
    const channelId = channel.body.data.channel?.id ?? channel.body.data.id;
    const say = (author_id: string, content: string): Promise<ApiResponse> =>
      api.post(`/api/messaging/central-channels/${channelId}/messages`, { author_id, content, server_id });
    await Promise.all(Array.from({ length: MESSAGES }, (_, index) => say(userId, `Word number ${index} of the user`)));
    await say(other, 'The other stays.');
    const { requestId } = (await api.post(`/api/users/${userId}/forget`, {})).body.data;
    const read = async (): Promise<Data> => (await api.get(`/api/users/${userId}/forget/${requestId}`)).body.data;
    const rowsOf = ({ erased }: Data): number => erased.reduce((sum: number, each: Data) => sum + each.deleted + each.redacted, 0);
    let killed = 1;
    // At once: a fast server has forgotten the user before it is asked how far it is.
    await server.kill();
    server = await ServerProcess.start(env);
    for (let known = -1; killed < KILLS;) {
      const report = await read();
      if (report.status === 'done') break;
      if (rowsOf(report) <= known) continue;
      known = rowsOf(report);
      await server.kill();
      killed += 1;
      server = await ServerProcess.start(env);
    }
    let report = await read();
    while (report.status !== 'done') report = await read();
    const counts = new Map(report.erased.map((each: Data) => [each.kind, each]));
    expect(counts.get('messages')).toEqual({ kind: 'messages', deleted: MESSAGES, redacted: 0 });
    expect(counts.get('participations')).toEqual({ kind: 'participations', deleted: 1, redacted: 0 });
    const { messages } = (await api.get(`/api/messaging/central-channels/${channelId}/messages`)).body.data;
    expect(messages.map(({ content }: Data) => content)).toEqual(['The other stays.']);
    await server.stop();
    const file = (await readFile(join(directory, 'data', 'parley.sqlite'))).toString('latin1');
    expect(file).not.toContain(userId);
    expect(file).not.toContain('of the user');
  });
});
