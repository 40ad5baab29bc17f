// Lists that are kept as text: equal to the list read from the index, right after each write, in every process.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApp } from '../../../src/bootstrap/create-app.js';
import { ApiClient, type ApiResponse } from '../api-client.js';
import { ADA, BOB, createTestApp, type TestApp } from '../create-test-app.js';

const ADMIN = 'the administrator of the tests';
const SERVERS = '/api/messaging/message-servers';
const CHANNELS = '/api/messaging/channels';

export function describeReadyLists(engine: 'sqlite' | 'postgres'): void {
  describe(`ready lists on ${engine}`, () => {
    const writer = new ApiClient(() => test.url);
    const reader = new ApiClient(() => url);
    let test: TestApp;
    let other: Awaited<ReturnType<typeof createApp>> | undefined;
    let url: string;
    let folder: string | undefined;
    let serverId: string;
    const tokens: Record<string, string> = {};
    const as = (token: string): { headers: Record<string, string> } => ({ headers: { 'x-api-key': token } });
    const post = async (path: string, body?: unknown): Promise<ApiResponse['body']> => (await writer.post(path, body, as(ADMIN))).body.data;
    const create = (name: string, participants: string[] = []): Promise<ApiResponse['body']> =>
      post(CHANNELS, { name, messageServerId: serverId, participantCentralUserIds: participants });

    beforeAll(async () => {
      test = await createTestApp({ engine, env: { API_KEY: ADMIN, SECRET_KEY: 'a key of the tests, of more than 32 characters' } });
      url = test.url;
      if (engine === 'postgres') {
        folder = await mkdtemp(join(tmpdir(), 'parley-lists-'));
        other = await createApp({ ...test.config, dataDir: folder });
        await other.listen(0, '127.0.0.1');
        url = (await other.getUrl()).replace(/\/$/, '');
      }
      for (const [name, agents] of Object.entries({ ada: [ADA.id], both: [ADA.id, BOB.id] })) {
        tokens[name] = (await post('/api/keys', { name, scope: 'write', agents })).token;
      }
      serverId = (await post(SERVERS, { name: 'a server', sourceType: 'test' })).id;
    });
    afterAll(async () => {
      await other?.close();
      await test.close();
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    });

    const path = (): string => `${SERVERS}/${serverId}/channels`;
    /** The names that each caller sees, after the ready text was held against the list as the index gives it. */
    const seen = async (): Promise<Record<string, string[]>> => {
      const names: Record<string, string[]> = {};
      for (const [name, token] of Object.entries({ admin: ADMIN, ...tokens })) {
        const ready = await reader.get(path(), as(token));
        const indexed = await reader.get(`${path()}?limit=100`, as(token));
        expect(ready.headers.get('etag')).toMatch(/^"[\w-]+"$/);
        expect(JSON.stringify(ready.body)).toBe(JSON.stringify(indexed.body));
        names[name] = (ready.body.data as { name: string }[]).map((channel) => channel.name);
      }
      return names;
    };

    it('show each write once it is acknowledged', async () => {
      expect(await seen()).toEqual({ admin: [], ada: [], both: [] });
      const one = await create('one', [ADA.id]);
      expect(await seen()).toEqual({ admin: ['one'], ada: ['one'], both: ['one'] });
      const two = await create('two');
      expect(await seen()).toEqual({ admin: ['one', 'two'], ada: ['one'], both: ['one'] });
      await writer.patch(`${CHANNELS}/${one.id}`, { name: 'first' }, as(ADMIN));
      expect(await seen()).toEqual({ admin: ['first', 'two'], ada: ['first'], both: ['first'] });
      await post(`${CHANNELS}/${one.id}/agents`, { agentId: BOB.id });
      expect(await seen()).toEqual({ admin: ['first', 'two'], ada: [], both: ['first'] });
      await writer.delete(`${CHANNELS}/${one.id}/agents/${BOB.id}`, as(ADMIN));
      expect(await seen()).toEqual({ admin: ['first', 'two'], ada: ['first'], both: ['first'] });
      await writer.delete(`${CHANNELS}/${two.id}`, as(ADMIN));
      expect(await seen()).toEqual({ admin: ['first'], ada: ['first'], both: ['first'] });
      await post(`${SERVERS}/${serverId}/sync-channels`, { channels: [{ sourceId: 'a', name: 'synced', type: 'text' }] });
      expect((await seen())['admin']).toEqual(['first', 'synced']);
    });

    it('are never stale during concurrent writes', async () => {
      const channel = await create('busy');
      for (let round = 0; round < 20; round++) {
        const name = randomUUID();
        await Promise.all([
          writer.patch(`${CHANNELS}/${channel.id}`, { name }, as(ADMIN)),
          ...Array.from({ length: 3 }, () => reader.get(path(), as(ADMIN))),
        ]);
        expect((await reader.get(path(), as(ADMIN))).body.data).toContainEqual(expect.objectContaining({ name }));
      }
    });

    it('are not resent to clients that have them', async () => {
      const etag = (await reader.get(path(), as(ADMIN))).headers.get('etag')!;
      const conditional = (): Promise<Response> => fetch(url + path(), { headers: { 'x-api-key': ADMIN, 'if-none-match': etag } });
      const same = await conditional();
      expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', etag]);
      await create('another');
      expect((await conditional()).status).toBe(200);
    });

    it('respond to HEAD with the headers of GET', async () => {
      const [head, get] = await Promise.all(
        ['HEAD', 'GET'].map((method) => fetch(url + path(), { method, headers: { 'x-api-key': tokens['ada']! } })),
      );
      expect([head!.status, await head!.text()]).toEqual([200, '']);
      for (const name of ['etag', 'content-length', 'content-type']) expect(head!.headers.get(name)).toBe(get!.headers.get(name));
      expect(get!.headers.get('content-length')).toBe(String((await get!.arrayBuffer()).byteLength));
    });

    it('are refused at once to a deleted key, and shown to its successor with the same restrictions', async () => {
      const { key, token } = await post('/api/keys', { name: 'short', scope: 'read', agents: [ADA.id] });
      await create('of Bob', [BOB.id]);
      const names = async (of: string): Promise<string[]> =>
        ((await reader.get(path(), as(of))).body.data as { name: string }[]).map(({ name }) => name);
      expect(await names(token)).not.toContain('of Bob');
      expect((await writer.delete(`/api/keys/${key.id}`, as(ADMIN))).status).toBe(200);
      expect((await reader.get(path(), as(token))).status).toBe(401);
      const { token: next } = await post('/api/keys', { name: 'short', scope: 'read', agents: [BOB.id] });
      expect(await names(next)).toEqual(['of Bob']);
    });

    it('are deleted with their message server', async () => {
      expect((await reader.get(path(), as(ADMIN))).status).toBe(200);
      await writer.delete(`${SERVERS}/${serverId}`, as(ADMIN));
      expect((await reader.get(path(), as(ADMIN))).status).toBe(404);
      serverId = (await post(SERVERS, { name: 'an empty server', sourceType: 'test' })).id;
      expect((await reader.get(path(), as(ADMIN))).status).toBe(200);
      await writer.delete(`${SERVERS}/${serverId}`, as(ADMIN));
      expect((await reader.get(path(), as(ADMIN))).status).toBe(404);
    });
  });
}
