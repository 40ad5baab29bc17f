// A load balancer without sticky sessions in front of two applications on one database.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from '../../src/bootstrap/create-app.js';
import { ApiClient } from '../support/api-client.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { FaultyProxy } from '../support/faulty-proxy.js';
import { SocketClient } from '../support/socket-client.js';

let first: TestApp;
let second: NestExpressApplication;
let ports: [number, number];
let balancer: FaultyProxy;

beforeEach(async () => {
  first = await createTestApp({ engine: 'postgres', env: { SECRET_KEY: 'the key that both processes have, long enough' } });
  second = await createApp({ ...first.config, dataDir: join(first.config.dataDir, 'second') });
  await second.listen(0, '127.0.0.1');
  ports = [Number(new URL(first.url).port), (second.getHttpServer().address() as AddressInfo).port];
  balancer = await FaultyProxy.to(ports[0]);
});
afterEach(async () => {
  await balancer.close();
  await second.close();
  await first.close();
});

it('lets a websocket-only client connect to any process and receive messages sent to the other', async () => {
  const [api, session] = [new ApiClient(() => first.url), { agentId: ADA.id, userId: randomUUID() }];
  const { sessionId, channelId } = (await api.post('/api/messaging/sessions', session)).body.data;
  for (const port of ports) {
    balancer.target = port;
    const socket = await SocketClient.connect(balancer.url, { transports: ['websocket'] });
    await socket.ask('join', { channelId });
    const content = `Heard by way of ${port}?`;
    first.model.reply('Yes.');
    await api.post(`/api/messaging/sessions/${sessionId}/messages`, { content });
    await socket.waitFor('messageBroadcast', (message) => message.text === content);
    socket.socket.close();
  }
});

it('reports to a long-polling client that a request has reached another process', async () => {
  const poll = async (sid = ''): Promise<[status: number, body: string]> => {
    const response = await fetch(`${balancer.url}/socket.io/?EIO=4&transport=polling${sid}`, { headers: { connection: 'close' } });
    return [response.status, await response.text()];
  };
  const [status, opened] = await poll();
  expect(status).toBe(200);
  const { sid } = JSON.parse(opened.slice(1)) as { sid: string };
  balancer.target = ports[1];
  const [refused, body] = await poll(`&sid=${sid}`);
  expect([refused, JSON.parse(body)]).toEqual([400, { code: 1, message: expect.stringContaining('needs sticky sessions') }]);
});
