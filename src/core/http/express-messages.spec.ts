import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createExpressServer } from './express-messages.js';

describe('requests and responses of the server', () => {
  const app = express();
  const prototypes: unknown[] = [];
  let server: Server;
  let url: string;

  beforeAll(async () => {
    server = createExpressServer(app);
    server.prependListener('request', (...messages) => prototypes.push(...messages.map((each) => Object.getPrototypeOf(each) as unknown)));
    app.response.json = function json(body: unknown) {
      return this.end(`changed ${JSON.stringify(body)}`);
    };
    app.get('/about', (request, response) => {
      prototypes.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
      response.json([
        request.app === app,
        response.app === app,
        request.path,
        request.query,
        request.get('host'),
        request.res === response,
      ]);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  it("have Express's methods from the start, including those that the application replaces", async () => {
    const response = await fetch(`http://${url}/about?a=b`, { headers: { connection: 'close' } });
    expect(await response.text()).toBe(`changed ${JSON.stringify([true, true, '/about', { a: 'b' }, url, true])}`);
    const [request, answer, ...routed] = prototypes;
    expect(routed[0]).toBe(request);
    expect(routed[1]).toBe(answer);
  });
});
