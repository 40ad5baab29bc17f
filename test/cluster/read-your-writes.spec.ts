// Two applications on one PostgreSQL database: what the one has acknowledged is read on the other.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from '../../src/bootstrap/create-app.js';
import { Journal } from '../../src/core/journal/index.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';

const ROUNDS = 40;
const POSITION = 'x-parley-position';

interface ApiResponse {
  readonly status: number;
  readonly position: string | undefined;
  readonly data: Record<string, unknown>;
  readonly error: Record<string, unknown>;
}

let first: TestApp;
let second: NestExpressApplication;
let other: string;

beforeAll(async () => {
  first = await createTestApp({ engine: 'postgres', env: { SECRET_KEY: 'the key that both processes have, long enough' } });
  second = await createApp({ ...first.config, dataDir: join(first.config.dataDir, 'second') });
  await second.listen(0, '127.0.0.1');
  other = `http://127.0.0.1:${(second.getHttpServer().address() as AddressInfo).port}`;
});
afterAll(async () => {
  await second.close();
  await first.close();
});

async function ask(base: string, method: string, path: string, body?: object, position?: string): Promise<ApiResponse> {
  const response = await fetch(base + path, {
    method,
    headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...(position === undefined ? {} : { [POSITION]: position }) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer = (await response.json()) as Pick<ApiResponse, 'data' | 'error'>;
  return { ...answer, status: response.status, position: response.headers.get(POSITION) ?? undefined };
}

async function channel(participants: readonly string[]): Promise<string> {
  const { data } = await ask(first.url, 'POST', '/api/messaging/channels', { name: 'old', participantCentralUserIds: participants });
  return data['id'] as string;
}

it('an agent created on one process exists on the other, by path, in a session and in a channel', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const made = await ask(first.url, 'POST', '/api/agents', { characterJson: { name: `Agent ${round}`, bio: ['New.'] } });
    const id = made.data['id'] as string;
    const read = await ask(other, 'GET', `/api/agents/${id}`);
    expect([read.status, read.data['name']]).toEqual([200, `Agent ${round}`]);
    await ask(first.url, 'POST', `/api/agents/${id}/start`);
    const session = await ask(other, 'POST', '/api/messaging/sessions', { agentId: id, userId: randomUUID() });
    expect([session.status, session.error]).toEqual([201, undefined]);
  }
});

it('an agent created on one process can join a channel created with it on the other', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const made = await ask(first.url, 'POST', '/api/agents', { characterJson: { name: `Member ${round}`, bio: ['New.'] } });
    const agentId = made.data['id'] as string;
    const body = { name: 'both', participantCentralUserIds: [agentId, randomUUID()] };
    const { data } = await ask(other, 'POST', '/api/messaging/channels', body);
    const agents = await ask(first.url, 'GET', `/api/messaging/channels/${data['id'] as string}/agents`);
    expect(JSON.stringify(agents.data)).toContain(agentId);
  }
});

it('a channel changed on one process is current on the other at once', async () => {
  const id = await channel([ADA.id, randomUUID()]);
  await ask(other, 'GET', `/api/messaging/channels/${id}`);
  for (let round = 0; round < ROUNDS; round += 1) {
    const changed = await ask(first.url, 'PATCH', `/api/messaging/channels/${id}`, { name: `name ${round}` });
    expect(Number(changed.position)).toBeGreaterThan(0);
    expect((await ask(other, 'GET', `/api/messaging/channels/${id}`)).data['name']).toBe(`name ${round}`);
  }
});

it('the list of agents on the other process includes a change when requested with its position', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const name = `Renamed ${round}`;
    const { position } = await ask(first.url, 'PATCH', `/api/agents/${ADA.id}`, { name });
    const { data } = await ask(other, 'GET', '/api/agents', undefined, position);
    expect((data['agents'] as { name: string }[]).map((agent) => agent.name)).toContain(name);
  }
});

it("a response that waited for the reply has the reply's position, also when it is repeated", async () => {
  const { data } = await ask(first.url, 'POST', '/api/messaging/sessions', { agentId: ADA.id, userId: randomUUID() });
  const path = `/api/messaging/sessions/${data['sessionId'] as string}/messages`;
  const body = { content: 'Hello.', transport: 'http', clientMessageId: 'once' };
  first.model.reply('Hello to you.');
  for (const base of [first.url, other]) {
    const { position, status } = await ask(base, 'POST', path, body);
    const finished = (await first.app.get(Journal).read(data['channelId'] as string, 0)).find(({ type }) => type === 'turn.finished');
    expect([status, position]).toEqual([201, String(finished?.offset)]);
  }
});

it('a read with a future position waits for a second and then responds', async () => {
  const began = performance.now();
  const { status } = await ask(other, 'GET', '/api/agents', undefined, '999999999999999');
  expect(status).toBe(200);
  expect(performance.now() - began).toBeGreaterThan(900);
});

it('a position that is not a number is refused, with the remedy', async () => {
  for (const wrong of ['soon', '-1', '1.5', '1e9']) {
    const { status, error } = await ask(other, 'GET', '/api/agents', undefined, wrong);
    expect([status, error['code'], error['message']]).toEqual([400, 'VALIDATION_ERROR', 'X-Parley-Position must be a whole number']);
    expect(error['details']).toContain('omit it');
  }
});
