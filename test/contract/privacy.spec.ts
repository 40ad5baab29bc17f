import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/core/ids/index.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';

const ADMIN = 'administrator-key-of-the-tests';

describe("export and deletion of a user's data", () => {
  let test: TestApp;
  let api: ApiClient;
  const userId = newId();
  const as = (key: string): { headers: Record<string, string> } => ({ headers: { 'x-api-key': key } });
  const keyFor = async (users: readonly string[]): Promise<string> =>
    (await api.post('/api/keys', { name: 'a key', scope: 'write', users }, as(ADMIN))).body.data.token;

  beforeAll(async () => {
    test = await createTestApp({ env: { API_KEY: ADMIN } });
    api = new ApiClient(() => test.url);
  });
  afterAll(() => test.close());

  const ask = (id: string, key: string): Promise<ApiResponse[]> =>
    Promise.all([api.get(`/api/users/${id}/export`, as(key)), api.post(`/api/users/${id}/forget`, {}, as(key))]);

  it('are open to the administrator, and to a key that vouches for the user', async () => {
    for (const key of [ADMIN, await keyFor([userId])]) {
      const [exported, forgotten] = await ask(userId.toUpperCase(), key);
      expect(exported?.body.data).toEqual({ userId, records: [] });
      expect(forgotten?.status).toBe(202);
      const { requestId } = forgotten?.body.data;
      expect((await api.get(`/api/users/${userId}/forget/${requestId}`, as(key))).body.data.requestId).toBe(requestId);
    }
  });

  it('are closed to a key that does not vouch for the user', async () => {
    for (const { status, body } of await ask(userId, await keyFor([newId()]))) {
      expect(status).toBe(403);
      expect(body.error.code).toBe('FORBIDDEN');
    }
  });

  it('refuse the id of an agent', async () => {
    for (const { status, body } of await ask(ADA.id, ADMIN)) {
      expect(status).toBe(400);
      expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', message: 'userId must be the id of a user.' });
    }
  });

  it("return a report only with its user's id", async () => {
    const { body } = await api.post(`/api/users/${userId}/forget`, {}, as(ADMIN));
    const other = await api.get(`/api/users/${newId()}/forget/${body.data.requestId}`, as(ADMIN));
    expect(other.status).toBe(404);
    expect(other.body.error.code).toBe('FORGET_REQUEST_NOT_FOUND');
  });
});
