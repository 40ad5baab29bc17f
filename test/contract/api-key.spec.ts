// Access with the key of the administrator.
import { describe, expect, it } from '@jest/globals';
import { ADA } from '../support/create-test-app.js';
import { expectError } from '../support/expect-envelope.js';
import { CHANNELS, contractApp, NOBODY, SESSIONS, SUBMIT, USER } from './support/contract-app.js';
import { pathWith, routesOf } from './support/routes.js';

const SESSION = { agentId: ADA.id, userId: USER };

/** The operations that need no key, as METHOD path. */
const OPEN = [
  'GET /healthz',
  'GET /health',
  'GET /livez',
  'GET /readyz',
  'GET /startupz',
  'GET /api/server/health',
  'GET /api/server/ping',
  'GET /api/server/hello',
];
/** What a client reads before it has a key, and the description of the API. */
const DOCS = [
  'GET /',
  'GET /api/system/config',
  'GET /api/messaging/jobs/health',
  'GET /api/openapi.json',
  'GET /api/docs',
  'GET /api/docs/:file',
  'GET /docs',
  'GET /docs/:name.md',
  'GET /docs/*path',
  'GET /llms.txt',
];
/** Pages show files by address alone; the address is the secret. */
const FILES = [
  'GET /console-assets/:file',
  'GET /media/uploads/agents/:agentId/:filename',
  'GET /media/uploads/channels/:channelId/:filename',
  'GET /media/generated/:agentId/:filename',
];
const START = `POST ${SESSIONS}`;
const KEY = 'a-key-of-the-tests';

const CREDENTIALS: [name: string, headers: Record<string, string>, query: string, admitted: boolean][] = [
  ['the key in X-API-KEY', { 'X-API-KEY': KEY }, '', true],
  ['the key as a bearer token', { Authorization: `Bearer ${KEY}` }, '', true],
  ['the key as a bearer token, in lower case', { authorization: `bearer ${KEY}` }, '', true],
  ['nothing', {}, '', false],
  ['another key', { 'x-api-key': 'another' }, '', false],
  ['an empty key', { 'x-api-key': '' }, '', false],
  ['the key in upper case', { 'x-api-key': KEY.toUpperCase() }, '', false],
  ['the beginning of the key', { 'x-api-key': KEY.slice(0, -1) }, '', false],
  ['the key and more', { 'x-api-key': `${KEY}x` }, '', false],
  ['the key twice', { 'x-api-key': `${KEY}, ${KEY}` }, '', false],
  ['another bearer token', { authorization: 'Bearer another' }, '', false],
  ['the key with another scheme', { authorization: `Basic ${KEY}` }, '', false],
  ['the key without a scheme', { authorization: KEY }, '', false],
  ['the key in the query', {}, `?apiKey=${KEY}&api_key=${KEY}&token=${KEY}`, false],
  ['another key and the right bearer token', { 'x-api-key': 'another', authorization: `Bearer ${KEY}` }, '', false],
];

describe('with an API key', () => {
  const app = contractApp({ API_KEY: KEY });
  const closed = contractApp({ API_KEY: KEY, SESSIONS_REQUIRE_AUTH: 'true' });
  const { api } = app;

  it.each(CREDENTIALS)('a caller with %s is admitted or refused', async (_name, headers, query, admitted) => {
    const answer = await api.get(`/api/agents${query}`, { headers });
    if (admitted) expect(answer.status).toBe(200);
    else {
      expectError(answer, 401, 'UNAUTHORIZED');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('every operation without the key is 401, except probes and the creation of a session [auth.key]', async () => {
    const admitted: string[] = [];
    for (const route of routesOf(app.test)) {
      const body = route.method === 'GET' ? undefined : {};
      const answer = await api.send(route.method, pathWith(route, NOBODY), body);
      // Errors below /v1 are in OpenAI's form, and those of messages in Anthropic's.
      if (answer.status === 401 && route.path.startsWith('/v1/messages')) expect(answer.body.error.type).toBe('authentication_error');
      else if (answer.status === 401 && route.path.startsWith('/v1/')) expect(answer.body.error.code).toBe('invalid_api_key');
      else if (answer.status === 401) expectError(answer, 401, 'UNAUTHORIZED');
      else admitted.push(`${route.method} ${route.path}`);
    }
    expect(admitted.sort()).toEqual([...OPEN, ...DOCS, ...FILES, START].sort());
  });

  it('no operation with the key is 401', async () => {
    for (const route of routesOf(app.test)) {
      const body = route.method === 'GET' ? undefined : {};
      const answer = await api.send(route.method, pathWith(route, NOBODY), body, { headers: { 'x-api-key': KEY } });
      expect([route, answer.status]).not.toEqual([route, 401]);
    }
  });

  it('an operation is 401 before any look-up', async () => {
    expectError(await api.post(SUBMIT, {}), 401, 'UNAUTHORIZED');
    expectError(await api.get(`${CHANNELS}/x`), 401, 'UNAUTHORIZED');
    expectError(await api.get(`${SESSIONS}/${NOBODY}`), 401, 'UNAUTHORIZED');
    expectError(await api.post(`/api/agents/x/rooms`, []), 401, 'UNAUTHORIZED');
  });

  it('an unknown path is 404', async () => {
    expectError(await api.get('/api/nothing'), 404, 'NOT_FOUND');
  });

  it('a session can be created without the key, and then needs it [auth.session-creation]', async () => {
    const created = await api.post(SESSIONS, SESSION);
    expect(created.status).toBe(201);
    expectError(await api.get(`${SESSIONS}/${created.body.sessionId}`), 401, 'UNAUTHORIZED');
    expect((await api.get(`${SESSIONS}/${created.body.sessionId}`, { headers: { 'x-api-key': KEY } })).status).toBe(200);
  });

  it.each([
    ['without the key is 401', {}, 401],
    ['with another key is 401', { 'x-api-key': 'another' }, 401],
    ['with the key is 201', { 'x-api-key': KEY }, 201],
  ] as [string, Record<string, string>, number][])(
    'and SESSIONS_REQUIRE_AUTH is set, the creation of a session %s [auth.session-creation]',
    async (_name, headers, status) => {
      const answer = await closed.api.post(SESSIONS, SESSION, { headers });
      if (status === 401) expectError(answer, 401, 'UNAUTHORIZED');
      else expect(answer.status).toBe(201);
    },
  );

  it.each(OPEN)('%s needs no key and no envelope [auth.public]', async (operation) => {
    const answer = await api.get(operation.replace('GET ', ''));
    expect(answer.status).toBe(200);
  });
});
