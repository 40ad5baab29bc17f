// What SQLite keeps and PostgreSQL does not.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '../../src/core/ids/index.js';
import { ApiClient } from '../support/api-client.js';
import { AgentLogs } from '../../src/modules/logs/agent-logs.service.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';

let test: TestApp;
const api = new ApiClient(() => test.url);
beforeAll(async () => {
  test = await createTestApp({ engine: 'postgres' });
});
afterAll(() => test.close());

it.each([
  `/media/uploads/agents/${ADA.id}/x%00.png`,
  `/api/agents/${ADA.id}/logs?type=%00`,
  `/api/memory/${ADA.id}/memories?tableName=%00`,
  `/api/messaging/sessions?userId=%00`,
  '/api/plugins/%00/deliveries',
])('a NUL in %s causes no server error', async (path) => {
  const { status, body } = await api.get(path);
  expect([400, 404]).toContain(status);
  expect(body).toMatchObject({
    success: false,
    error: { code: expect.any(String), message: expect.any(String), details: expect.any(String) },
  });
});

it('keeps the entries of an agent log for any text, once each, without those of deleted agents', async () => {
  const logs = test.app.get(AgentLogs);
  const entry = { agentId: ADA.id, roomId: newId(), type: 'odd', level: 40 };
  const odd = 'a\0b \\u0000 \\\0\0c \'"? \ud800 ☕';
  const id = newId();
  for (const body of [{ odd }, { odd: 'again' }]) logs.add({ ...entry, id, body });
  logs.add({ ...entry, agentId: newId(), body: { odd } });
  const { body } = await api.get(`/api/agents/${ADA.id}/logs?type=odd`);
  expect(body.data).toEqual([expect.objectContaining({ ...entry, id, body: { odd: odd.replaceAll('\0', '') } })]);
});
