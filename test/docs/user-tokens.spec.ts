// The example of docs/guides/clients.md, run as it stands.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { talk, userToken } from '../../docs/examples/user-tokens.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';

const SECRET = 'a secret of at least thirty-two characters';
let test: TestApp;

beforeAll(async () => {
  test = await createTestApp({ env: { API_KEY: 'the key of the administrator', USER_TOKEN_SECRET: SECRET } });
  test.model.always(() => 'Hello.');
});
afterAll(() => test.close());

it('docs/examples/user-tokens.ts begins a session that is vouched for, and receives the answer', async () => {
  const userId = randomUUID();
  const token = await userToken(userId, SECRET);
  expect(await talk(test.url, token, ADA.id, userId, 'My safe code is 4711')).toBe('Hello.');
  await talk(test.url, token, ADA.id, userId, 'What is my safe code?');
  expect(JSON.stringify(test.model.requests.at(-1))).toContain('4711');
});
