// Keys, repeated requests and the check of the installation's key, where the database is PostgreSQL and shared.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApp } from '../../src/bootstrap/create-app.js';
import { Reader } from '../../src/core/database/index.js';
import { AgentsService } from '../../src/modules/agents/index.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';

const ADMIN = 'the administrator of the tests';
const SECRET = 'a secret of an agent';

describe('on PostgreSQL', () => {
  const api = new ApiClient(() => test.url);
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp({ engine: 'postgres', env: { API_KEY: ADMIN } });
  });
  afterAll(() => test.close());

  const create = (path: string, body: object, key = randomUUID()): Promise<ApiResponse> =>
    api.post(path, body, { headers: { 'x-api-key': ADMIN, 'idempotency-key': key } });
  const statusWith = async (token: string): Promise<number> => (await api.get('/api/agents', { headers: { 'x-api-key': token } })).status;

  it('a key works, over a restart, until it is revoked', async () => {
    const { key, token } = (await create('/api/keys', { name: 'a key', scope: 'read', agents: [ADA.id] })).body.data;
    expect(await statusWith(token)).toBe(200);
    await test.restart();
    expect(await statusWith(token)).toBe(200);
    const revoked = await api.delete(`/api/keys/${key.id}`, { headers: { 'x-api-key': ADMIN } });
    expect(revoked.body.data).toMatchObject({ id: key.id, agents: [ADA.id], revokedAt: expect.any(String) });
    expect(await statusWith(token)).toBe(401);
  });

  it('a request that is sent ten times at once, and again after a restart, is executed once', async () => {
    const [key, name] = [randomUUID(), randomUUID()];
    const answers = await Promise.all(Array.from({ length: 10 }, () => create('/api/messaging/channels', { name }, key)));
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    await test.restart();
    const again = await create('/api/messaging/channels', { name }, key);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    const rows = await test.app.get(Reader).rows<{ id: string }>('SELECT id FROM channels WHERE name = ?', [name]);
    expect(rows).toEqual([{ id: again.body.data.id }]);
  });

  it('secrets of an agent are sealed, and another key prevents the start', async () => {
    const changed = await api.patch(`/api/agents/${ADA.id}`, { secrets: { TOKEN: SECRET } }, { headers: { 'x-api-key': ADMIN } });
    expect(changed.status).toBe(200);
    const [row] = await test.app.get(Reader).rows<{ secrets: unknown }>('SELECT secrets FROM agents WHERE id = ?', [ADA.id]);
    expect(JSON.stringify(row)).toContain('sealed:1:');
    expect(JSON.stringify(row)).not.toContain(SECRET);
    await test.restart();
    expect(test.app.get(AgentsService).setting(ADA.id, 'TOKEN')).toBe(SECRET);
    await test.app.close();
    const secretKey = 'another key, of more than 32 characters';
    await expect(createApp({ ...test.config, secretKey })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    test.app = await createApp(test.config);
  });
});
