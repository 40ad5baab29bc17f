import { request as send, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express, { type NextFunction, type Request, type Response } from 'express';
import { indexRoutes } from './route-index.js';

const PATTERNS = [
  '/api/agents/worlds',
  '/api/agents/:agentId',
  '/api/agents/:agentId/worlds',
  '/api/:kind/list.json',
  '/api/Sessions/:id',
  '/files/*path',
  '/maybe{/:id}/end',
  '/pre-:name',
  '/',
];

/** Answers with everything that a route can see of its match. */
function appOf(indexed: boolean): express.Express {
  const app = express();
  if (indexed) indexRoutes(app);
  app.use((_request: Request, response: Response, next: NextFunction) => {
    response.setHeader('X-First', 'seen');
    next();
  });
  for (const pattern of PATTERNS) {
    app.get(pattern, (request, response, next) => {
      if (request.query['pass'] === undefined) {
        response.json({ pattern, path: request.path, params: request.params, route: request.route.path });
      } else next();
    });
  }
  app.get('/throws', () => {
    throw new Error('thrown');
  });
  app.get('/rejects', () => Promise.reject(new Error('rejected')));
  app.get('/fails', (_request, _response, next) => next(new Error('passed on')));
  app.get('/skips', (_request, _response, next) => next('route'));
  app.get(
    '/two',
    (_request, _response, next) => next(),
    (request, response) => void response.json({ second: request.route.path }),
  );
  app.get('/skips', (request, response) => void response.json({ skipped: request.baseUrl + request.originalUrl }));
  app.post(['/api/agents', '/api/agents/:agentId'], (request, response) => void response.json({ params: request.params }));
  app.use('/below', (request, response) => void response.json({ url: request.url, base: request.baseUrl }));
  app.use((error: { status?: number }, request: Request, response: Response, _next: NextFunction) => {
    response.status(error.status ?? 500).json({ failed: request.path });
  });
  return app;
}

const PATHS = [
  ...['/throws', '/rejects', '/fails', '/skips', '/two'],
  ...[
    '/',
    '//',
    '/?a=1',
    '/?pass',
    '*',
    '/api',
    '/api/',
    '/api/agents',
    '/api/agents/',
    '/api/agents//',
    '/API/Agents/Worlds',
    '/api/agents/x',
  ],
  ...['/api/agents/worlds?pass', '/api/agents/x/worlds/', '/api/agents//worlds', '/api/agents/%78', '/api/%61gents/x', '/api/agents/%zz'],
  ...[
    '/api/agents/%E0%A4%A',
    '/api/agents/a%2Fb',
    '/api/x/list.json',
    '/api/x/listXjson',
    '/api/sessions/1',
    '/api/agents/x#y',
    '/files/a/b/c',
  ],
  ...[
    '/files',
    '/files/',
    '/maybe/end',
    '/maybe/1/end',
    '/pre-x',
    '/PRE-x/',
    '/below',
    '/below/it',
    '/api/agents/\u00e9',
    'http://other/api/agents/x',
  ],
];

describe('indexed routes', () => {
  const servers: Server[] = [];
  beforeAll(async () => {
    for (const indexed of [false, true]) {
      const server = appOf(indexed).listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      servers.push(server);
    }
  });
  afterAll(() => servers.forEach((server) => server.close()));

  const answer = (server: Server, method: string, path: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const { port } = server.address() as AddressInfo;
      const request = send({ port, host: '127.0.0.1', method, path: Buffer.from(path).toString('latin1'), agent: false }, (response) => {
        let body = '';
        response.on('data', (part) => (body += part));
        response.on('end', () =>
          resolve({ status: response.statusCode, allow: response.headers.allow, first: response.headers['x-first'], body }),
        );
      });
      request.on('error', reject).end();
    });

  it.each(['GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE'])('answer %s as Express does', async (method) => {
    for (const path of PATHS) {
      const [plain, indexed] = servers;
      expect([path, await answer(indexed!, method, path)]).toEqual([path, await answer(plain!, method, path)]);
    }
  });

  it('include routes that are added later', async () => {
    const app = appOf(true);
    const server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    await answer(server, 'GET', '/late');
    app.get('/late', (_request, response) => void response.json('late'));
    expect(await answer(server, 'GET', '/late')).toMatchObject({ status: 200, body: '"late"' });
    server.close();
  });
});
