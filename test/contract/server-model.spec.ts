// The model that an administrator chooses for the server.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Reader } from '../../src/core/database/index.js';
import { ModelRegistry } from '../../src/providers/models/index.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { expectData, expectError } from '../support/expect-envelope.js';
import { startModelServer, type ModelServer } from '../support/model-server.mjs';
import { USER } from './support/contract-app.js';

const PATH = '/api/server/model';
const KEY = 'sk-of-the-administrator';

let service: ModelServer;
const started: TestApp[] = [];

beforeAll(async () => {
  service = await startModelServer();
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((test) => test.close()));
});
afterAll(() => service.close());

/** An application with the models of the program in place of the scripted one. */
async function start(env: Record<string, string> = {}): Promise<{ test: TestApp; api: ApiClient }> {
  const test = await createTestApp({ env: { MODEL_PROVIDER: 'auto', MODEL_RETRIES: '0', ...env } });
  started.push(test);
  useModels(test);
  return { test, api: new ApiClient(() => test.url) };
}

function useModels(test: TestApp): void {
  Reflect.deleteProperty(test.app.get(ModelRegistry), 'chat');
}

async function ask(api: ApiClient, content: string): Promise<{ text?: string; message?: string }> {
  const { sessionId } = (await api.post('/api/messaging/sessions', { agentId: ADA.id, userId: USER })).body.data;
  const { body } = await api.post(`/api/messaging/sessions/${String(sessionId)}/messages`, { content, transport: 'http' });
  return { text: body.data?.agentResponse?.text, message: body.error?.message };
}

const put = (api: ApiClient, body: object, options = {}): Promise<ApiResponse> => api.send('PUT', PATH, body, options);
const choice = (change: object = {}): object => ({ provider: 'openai', model: 'a-model', address: service.baseUrl, key: KEY, ...change });

describe('the model of the server', () => {
  it('is none at first, and each chosen one serves the next message, also after a restart', async () => {
    const { test, api } = await start();
    expect(expectData(await api.get(PATH))).toEqual({
      source: 'none',
      provider: 'offline',
      model: 'offline',
      address: null,
      hasKey: false,
      variables: [],
      localAddresses: true,
    });
    const chosen = { source: 'administrator', provider: 'openai', model: 'a-model', address: service.baseUrl, hasKey: true };
    expect(expectData(await put(api, choice()))).toMatchObject(chosen);
    service.next({ kind: 'reply', text: 'From the first.' });
    expect(await ask(api, 'Hello?')).toMatchObject({ text: 'From the first.' });
    expect(service.requests.at(-1)).toMatchObject({ body: { model: 'a-model' }, headers: { authorization: `Bearer ${KEY}` } });
    await put(api, choice({ model: 'another-model' }));
    service.next({ kind: 'reply', text: 'From the second.' });
    expect(await ask(api, 'Hello?')).toMatchObject({ text: 'From the second.' });
    await test.restart();
    useModels(test);
    expect(expectData(await api.get(PATH))).toMatchObject({ ...chosen, model: 'another-model' });
    expect((await api.get('/api/server/status')).body.data).toMatchObject({ models: { chat: { model: 'another-model' } } });
    service.next({ kind: 'reply', text: 'From the second again.' });
    expect(await ask(api, 'Hello?')).toMatchObject({ text: 'From the second again.' });
    expect(expectData(await api.delete(PATH))).toMatchObject({ source: 'none', provider: 'offline', hasKey: false });
  });

  it('is tested with a real call, which stores nothing', async () => {
    const { api } = await start();
    service.next({ kind: 'reply', text: 'Hello.' });
    expect(expectData(await api.post(`${PATH}/trial`, choice()), 200)).toMatchObject({ answered: true, text: 'Hello.', error: null });
    service.next({ kind: 'status', status: 401 });
    const { answered, error } = expectData(await api.post(`${PATH}/trial`, choice()), 200);
    expect(answered).toBe(false);
    expect(error.message).toContain('refused the API key');
    expect(error.details).toBe('Set the API key to a valid key.');
    expect(expectData(await api.get(PATH))).toMatchObject({ source: 'none' });
    expect((await api.get('/api/server/status')).body.data.models.services).toEqual([]);
  });

  it('keeps its key for the same service only, and never returns it', async () => {
    const { test, api } = await start();
    await put(api, choice());
    const { key: _, ...keyless } = choice() as { key: string };
    expect(expectData(await put(api, { ...keyless, model: 'b-model' }))).toMatchObject({ hasKey: true, model: 'b-model' });
    service.next({ kind: 'reply', text: 'Hello.' });
    await api.post(`${PATH}/trial`, keyless);
    expect(service.requests.at(-1)?.headers['authorization']).toBe(`Bearer ${KEY}`);
    const elsewhere = { ...keyless, address: service.baseUrl.replace('127.0.0.1', 'localhost') };
    service.next({ kind: 'reply', text: 'Hello.' });
    await api.post(`${PATH}/trial`, elsewhere);
    expect(service.requests.at(-1)?.headers['authorization']).toBeUndefined();
    expect(expectData(await put(api, elsewhere))).toMatchObject({ hasKey: false });
    await put(api, choice());
    const stored = JSON.stringify(await test.app.get(Reader).rows('SELECT * FROM server_model'));
    const said = [stored, JSON.stringify((await api.get(PATH)).body), JSON.stringify((await api.get('/api/audit')).body)];
    expect(said.filter((text) => text.includes(KEY))).toEqual([]);
    expect(expectData(await put(api, choice({ key: null })))).toMatchObject({ hasKey: false });
  });

  it.each([
    [{ MODEL_PROVIDER: 'offline' }, ['MODEL_PROVIDER']],
    [{ OLLAMA_MODEL: 'llama3.2' }, ['OLLAMA_MODEL']],
    [{ OPENAI_API_KEY: 'sk-environment', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }, ['OPENAI_API_KEY', 'OPENAI_BASE_URL']],
  ])('cannot override the environment: %j', async (env, variables) => {
    const { api } = await start(env);
    expect(expectData(await api.get(PATH))).toMatchObject({ source: 'environment', variables });
    const refused = await put(api, choice());
    expectError(refused, 409, 'CONFLICT');
    expect(refused.body.error.message).toContain(variables[0]);
  });

  it('is refused at a local address when remote clients reach the server, on saving and on testing', async () => {
    const { api } = await start({ SERVER_HOST: '0.0.0.0', API_KEY: KEY });
    const as = { headers: { 'x-api-key': KEY } };
    expect(expectData(await api.get(PATH, as))).toMatchObject({ localAddresses: false });
    const addresses = [service.baseUrl, service.baseUrl.replace('127.0.0.1', 'localhost'), 'http://192.168.7.7/v1', 'http://[::1]:1/v1'];
    for (const address of addresses) {
      for (const answer of [await put(api, choice({ address }), as), await api.post(`${PATH}/trial`, choice({ address }), as)]) {
        expectError(answer, 400, 'VALIDATION_ERROR');
        expect(answer.body.error).toMatchObject({
          message: 'address is not allowed: it is not public.',
          details: expect.stringContaining('OUTBOUND_ALLOWED_NETWORKS'),
        });
      }
    }
    const { api: open } = await start({ SERVER_HOST: '0.0.0.0', API_KEY: KEY, OUTBOUND_ALLOWED_NETWORKS: 'loopback' });
    expect(expectData(await put(open, choice(), as))).toMatchObject({ source: 'administrator', localAddresses: true });
  });

  it.each([
    ['provider', { provider: 'offline' }],
    ['model', { model: ' ' }],
    ['model', { model: undefined }],
    ['address', { address: 'not an address' }],
    ['address', { address: 'ftp://service.example/v1' }],
    ['address', { address: 'https://name:word@service.example/v1' }],
    ['key', { key: '' }],
    ['key', { key: 7 }],
  ])('is refused with an invalid %s', async (field, change) => {
    const { api } = await start();
    const { body, status } = await put(api, choice(change));
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(new RegExp(`^${field} `))]);
  });
});
