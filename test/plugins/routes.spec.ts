// Rules 1 to 6 of the specification's "Plugin-defined routes", and how a route is found.
import { describe, expect, it } from '@jest/globals';
import { UnitOfWork } from '../../src/core/database/index.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectError } from '../support/expect-envelope.js';
import { pluginApp, PluginApp, withRoutes } from './support/plugin-app.js';

const NOBODY = '99999999-9999-9999-9999-999999999999';

const seen = `(request, response, runtime) => response.json({
  method: request.method, path: request.path, url: request.url, params: request.params, query: request.query, body: request.body,
  header: request.headers['x-color'], ip: request.ip, agentId: runtime.agentId, name: runtime.character.name,
})`;

const SHOP = withRoutes(
  'shop',
  `[
    ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((type) => ({ type, path: '/shop-things', handler: ${seen} })),
    { type: 'GET', path: '/shop-things/first', name: 'First', public: true, handler: (q, r) => r.json({ first: true }) },
    { type: 'GET', path: '/shop-things/:id', handler: ${seen} },
    { type: 'GET', path: '/shop-things/:id/parts/:part', handler: ${seen} },
    { type: 'GET', path: '/shop-maybe{/:id}', handler: ${seen} },
    { type: 'GET', path: '/shop-files/*rest', handler: ${seen} },
    { type: 'GET', path: '/shop-old/*', handler: ${seen} },
    { type: 'GET', path: 'shop-bare', handler: ${seen} },
    { type: 'GET', path: '/shop-größe/:id', handler: ${seen} },
    { type: 'GET', path: '/shop page', handler: ${seen} },
    { type: 'GET', path: '/shop-caf%C3%A9', handler: ${seen} },
    { type: 'GET', path: '/api/shop/list', handler: ${seen} },
    { type: 'POST', path: '/shop-post-only', handler: (q, r) => r.status(201).json({ made: true }) },
  ]`,
);

const EXAMPLE = withRoutes(
  'example',
  `[{
    type: 'POST', path: '/example/messages', name: 'post', public: true,
    async handler(request, response, runtime) {
      if (request.headers['x-api-key'] !== runtime.getSetting('EXAMPLE_KEY')) {
        return response.status(401).json({ success: false, error: 'Unauthorized' });
      }
      const { channelId, message, metadata } = request.body ?? {};
      if (!channelId || !message) return response.status(400).json({ success: false, error: 'channelId and message are required' });
      try {
        const answer = await fetch(runtime.getSetting('SERVER_URL') + '/api/messaging/submit', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            channel_id: channelId, server_id: '00000000-0000-0000-0000-000000000000', author_id: runtime.agentId, content: message,
            source_type: 'agent_response', raw_message: { text: message, actions: [] },
            metadata: { agent_id: runtime.agentId, agentName: runtime.character.name, ...metadata },
          }),
        });
        if (!answer.ok) return response.status(500).json({ success: false, error: 'not posted' });
        const { data } = await answer.json();
        return response.json({ success: true, messageId: data.id, message: 'posted' });
      } catch (error) {
        return response.status(500).json({ success: false, error: error.message });
      }
    },
  }]`,
  `description: 'the example of the specification', config: { EXAMPLE_KEY: null }`,
);

const app = pluginApp(
  {
    'shop.mjs': SHOP,
    'example.mjs': EXAMPLE,
    'scoped/index.mjs': withRoutes('@acme/tools', `[{ type: 'GET', path: '/acme', handler: ${seen} }]`),
  },
  {
    env: { EXAMPLE_KEY: 'k-1' },
    characters: [
      { name: ADA.name, bio: 'a' },
      { name: BOB.name, bio: 'b', plugins: ['@acme/tools'] },
    ],
  },
);
const { api } = app;

describe('a route', () => {
  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
    'of type %s is reached by that method, at the path that the plugin gave it [routes.registered]',
    async (method) => {
      const body = method === 'GET' ? undefined : { a: 1 };
      const answer = await api.send(method, '/shop-things?q=1&q=2&r=', body, { headers: { 'X-Color': 'red' } });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        method,
        path: '/shop-things',
        url: '/shop-things?q=1&q=2&r=',
        params: {},
        query: { q: ['1', '2'], r: '' },
        ...(body && { body }),
        header: 'red',
        ip: expect.stringContaining('127.0.0.1'),
        agentId: ADA.id,
        name: 'Ada',
      });
    },
  );

  it('of type GET responds to HEAD without a body', async () => {
    const { status, headers, body } = await api.send('HEAD', '/shop-things');
    expect({ status, body, type: headers.get('content-type') }).toEqual({ status: 200, body: '', type: 'application/json; charset=utf-8' });
  });

  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD'])('of type POST does not respond to %s', async (method) => {
    expect((await api.send(method, '/shop-post-only')).status).toBe(404);
  });

  it('responds with the status and the JSON of its handler [routes.handler]', async () => {
    expect(await api.post('/shop-post-only')).toMatchObject({ status: 201, body: { made: true } });
  });

  it.each([
    ['one', '/shop-things/7', { id: '7' }],
    ['one that is escaped', '/shop-things/a%20b%2Fc%C3%BC', { id: 'a b/cü' }],
    ['two', '/shop-things/7/parts/8', { id: '7', part: '8' }],
    ['an optional one', '/shop-maybe/7', { id: '7' }],
    ['an optional one that is absent', '/shop-maybe', {}],
    ['all the rest', '/shop-files/a/b%20c', { rest: 'a/b c' }],
    ['all the rest, as older plugins write it', '/shop-old/a/b', { rest: 'a/b' }],
    ['no rest, as older plugins write it', '/shop-old', {}],
    ['a path without a leading slash', '/shop-bare', {}],
    ['a path with a slash at its end', '/shop-bare/', {}],
    ['a path in other letters', '/Shop-Bare', {}],
    ['a path below /api', '/api/shop/list', {}],
    ['a path with letters beyond ASCII', '/shop-größe/ä', { id: 'ä' }],
    ['a path with a space', '/shop%20page', {}],
    ['a path that the plugin has escaped itself', '/shop-café', {}],
  ])('takes parameters: %s', async (_name, path, params) => {
    expect(await api.get(path)).toMatchObject({ status: 200, body: { params } });
    expect((await api.get(path)).body.params).toEqual(params);
  });

  it('before a wider one of the same plugin matches first', async () => {
    expect((await api.get('/shop-things/first')).body).toEqual({ first: true });
  });

  it.each([
    ['its own path', '/shop-things/7', ADA.id],
    ["below the plugin's name", '/shop/shop-things/7', ADA.id],
    ['below agent and plugin', `/api/agents/${BOB.id}/plugins/shop/shop-things/7`, BOB.id],
    ['below agent and plugin, in capitals', `/api/agents/${BOB.id.toUpperCase()}/plugins/shop/shop-things/7`, BOB.id],
    ['below the agent', `/api/agents/${BOB.id}/plugins/shop-things/7`, BOB.id],
    ['below a name with a scope', '/@acme/tools/acme', BOB.id],
    ['below a name with a scope, escaped', '/%40acme%2Ftools/acme', BOB.id],
    ['below agent and a name with a scope', `/api/agents/${ADA.id}/plugins/@acme/tools/acme`, ADA.id],
  ])('responds at %s', async (_name, path, agentId) => {
    expect(await api.get(path)).toMatchObject({ status: 200, body: { agentId, path } });
  });

  it.each(['/shop', '/shop/nothing', '/nothing/shop-things', '/shop-things/7/8', `/api/agents/${ADA.id}/plugins/shop/nothing`])(
    'is missing at %s: 404 in the envelope',
    async (path) => {
      expectError(await api.get(path), 404, 'NOT_FOUND');
    },
  );

  it.each(['/shop-things/%', '/shop-things/%zz', '/shop-things/%C3%28', '/shop-files/%E0%A4%A'])(
    'with a broken escape is 400: %s',
    async (path) => {
      expect(await api.get(path)).toMatchObject({ status: 400, body: { success: false, error: expect.any(String) } });
    },
  );

  it('leaves the built-in operations unchanged [service.paths]', async () => {
    expect((await api.get('/api/agents')).body.data.agents.map(({ id }: { id: string }) => id)).toEqual(
      expect.arrayContaining([ADA.id, BOB.id]),
    );
    expectError(await api.get('/api/nothing'), 404, 'NOT_FOUND');
  });

  it('is listed with its paths', async () => {
    const { shop, example } = await app.listed();
    expect(shop).toMatchObject({ state: 'loaded', source: 'shop.mjs' });
    expect(shop.routes).toHaveLength(17);
    expect(shop.routes).toContainEqual({
      type: 'GET',
      path: '/shop-things/first',
      name: 'First',
      public: true,
      isMultipart: false,
      paths: ['/shop-things/first', '/shop/shop-things/first', '/api/agents/{agentId}/plugins/shop/shop-things/first'],
      shadows: [],
      shadowedBy: [],
    });
    expect(example).toMatchObject({ description: 'the example of the specification', version: null });
  });
});

describe('the agent of a request [routes.agent]', () => {
  it.each([
    ['without agentId: the first that runs', '/shop-things', ADA],
    ['without agentId: one whose character lists the plugin', '/acme', BOB],
    ['by the query', `/shop-things?agentId=${BOB.id}`, BOB],
    ['by the query, in capitals', `/shop-things?agentId=${BOB.id.toUpperCase()}`, BOB],
    ['by the query, though the character does not list the plugin', `/acme?agentId=${ADA.id}`, ADA],
    ['by the query below the name', `/shop/shop-things?agentId=${BOB.id}`, BOB],
    ['by the query, not by the path', `/api/agents/${ADA.id}/plugins/shop/shop-things?agentId=${BOB.id}`, BOB],
    ['by the query, though the path names nobody', `/api/agents/${NOBODY}/plugins/shop/shop-things?agentId=${BOB.id}`, BOB],
  ])('%s', async (_name, path, { id: agentId, name }) => {
    expect(await api.get(path)).toMatchObject({ status: 200, body: { agentId, name } });
  });

  it.each([
    ['is no UUID', '/shop-things?agentId=x', 400],
    ['is empty', '/shop-things?agentId=', 400],
    ['is a UUID and more', `/shop-things?agentId=${ADA.id}0`, 400],
    ['is given twice', `/shop-things?agentId=${ADA.id}&agentId=${BOB.id}`, 400],
    ['is no UUID in the path', '/api/agents/x/plugins/shop/shop-things', 400],
    ['is a broken escape in the path', '/api/agents/%zz/plugins/shop/shop-things', 400],
    ['is nobody', `/shop-things?agentId=${NOBODY}`, 404],
    ['is nobody in the path', `/api/agents/${NOBODY}/plugins/shop/shop-things`, 404],
    ['is nobody, though the path names one', `/api/agents/${ADA.id}/plugins/shop/shop-things?agentId=${NOBODY}`, 404],
  ])('that %s is refused in the flat form', async (_name, path, status) => {
    const answer = await api.get(path);
    expect(answer).toMatchObject({ status, body: { success: false, error: expect.stringMatching(/\S/) } });
    expect(Object.keys(answer.body)).toEqual(['success', 'error']);
  });

  it('that is stopped is refused like a missing one', async () => {
    const other = await new PluginApp().start({ 'shop.mjs': SHOP });
    try {
      await other.test.app.get(UnitOfWork).commit([{ sql: "UPDATE agents SET status = 'inactive' WHERE id = ?", params: [ADA.id] }]);
      await other.test.restart();
      const refused = { status: 404, body: { success: false, error: `Agent ${ADA.id} not found` } };
      expect(await other.api.get(`/shop-things?agentId=${ADA.id}`)).toMatchObject(refused);
      expect(await other.api.get(`/api/agents/${ADA.id}/plugins/shop/shop-things`)).toMatchObject(refused);
      expect(await other.api.get('/shop-things')).toMatchObject({ status: 200, body: { agentId: BOB.id } });
    } finally {
      await other.close();
    }
  });

  it('is missing when none runs: 404', async () => {
    const alone = await new PluginApp().start({ 'shop.mjs': SHOP }, { characters: [] });
    try {
      expect(await alone.api.get('/shop-things')).toMatchObject({ status: 404, body: { success: false, error: 'No agent is running' } });
    } finally {
      await alone.close();
    }
  });
});

describe("the specification's example [routes.example]", () => {
  const post = (body: unknown, headers: Record<string, string> = { 'x-api-key': 'k-1' }): ReturnType<typeof api.post> =>
    api.post('/example/messages', body, { headers });
  const channel = async (): Promise<string> => {
    const body = { name: 'c', serverId: '00000000-0000-0000-0000-000000000000', participantCentralUserIds: [ADA.id] };
    return (await api.post('/api/messaging/channels', body)).body.data.id;
  };

  it.each([
    ['no key', {}],
    ['another key', { 'x-api-key': 'k-2' }],
    ['an empty key', { 'x-api-key': '' }],
  ])('responds 401 for %s', async (_name, headers) => {
    expect(await post({}, headers as Record<string, string>)).toMatchObject({
      status: 401,
      body: { success: false, error: 'Unauthorized' },
    });
  });

  it.each([
    ['nothing', undefined],
    ['no channel', { message: 'x' }],
    ['no message', { channelId: NOBODY }],
  ])('responds 400 for %s', async (_name, body) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { success: false, error: 'channelId and message are required' } });
  });

  it('responds 500 when the message cannot be posted', async () => {
    expect(await post({ channelId: NOBODY, message: 'x' })).toMatchObject({ status: 500, body: { success: false } });
  });

  it('posts as the agent over HTTP from inside the handler', async () => {
    const channelId = await channel();
    const { status, body } = await post({ channelId, message: 'Hello', metadata: { ticket: 7 } });
    expect({ status, body }).toEqual({ status: 200, body: { success: true, messageId: expect.any(String), message: 'posted' } });
    const { messages } = (await api.get(`/api/messaging/channels/${channelId}/messages`)).body.data;
    expect(messages).toMatchObject([
      {
        id: body.messageId,
        authorId: ADA.id,
        content: 'Hello',
        isAgent: true,
        sourceType: 'agent_response',
        metadata: { ticket: 7, agentName: 'Ada' },
      },
    ]);
  });

  it('posts as the agent in the query', async () => {
    const channelId = await channel();
    const answer = await api.post(
      `/example/messages?agentId=${BOB.id}`,
      { channelId, message: 'Hello' },
      { headers: { 'x-api-key': 'k-1' } },
    );
    expect(answer.status).toBe(200);
    const { messages } = (await api.get(`/api/messaging/channels/${channelId}/messages`)).body.data;
    expect(messages).toMatchObject([{ authorId: BOB.id }]);
  });
});

describe('with an API key set', () => {
  it('the plain forms need none, and the /api forms do [routes.public]', async () => {
    const locked = await new PluginApp().start({ 'shop.mjs': SHOP }, { env: { API_KEY: 'server-key' } });
    try {
      const inApi = `/api/agents/${ADA.id}/plugins/shop/shop-things`;
      expect((await locked.api.get('/shop-things')).status).toBe(200);
      expect((await locked.api.get('/shop/shop-things')).status).toBe(200);
      expectError(await locked.api.get(inApi), 401, 'UNAUTHORIZED');
      expectError(await locked.api.get('/api/shop/list'), 401, 'UNAUTHORIZED');
      expect((await locked.api.get(inApi, { headers: { 'x-api-key': 'server-key' } })).status).toBe(200);
      expect((await locked.api.get(inApi, { headers: { authorization: 'Bearer server-key' } })).status).toBe(200);
      expectError(await locked.api.get('/api/plugins'), 401, 'UNAUTHORIZED');
    } finally {
      await locked.close();
    }
  });
});
