// What SQLite keeps and PostgreSQL does not.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ApiClient } from '../support/api-client.js';
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
])('a NUL in %s is no fault of the server', async (path) => {
  const { status, body } = await api.get(path);
  expect([400, 404]).toContain(status);
  expect(body).toMatchObject({
    success: false,
    error: { code: expect.any(String), message: expect.any(String), details: expect.any(String) },
  });
});
