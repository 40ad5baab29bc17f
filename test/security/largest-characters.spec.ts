// The largest character that is permitted is stored, changed and spoken with in a number of steps that grows no faster than it. The tests count
// units of work, not time.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { charactersRead, elementsSearched } from '../support/work-units.js';
import { guardedApp } from './support/guarded-app.js';

const app = guardedApp({ env: { RATE_LIMIT: 'off' } });
const { api } = app;
beforeAll(() => {
  app.test.model.always(() => 'Hello');
});

const create = async (character: object): Promise<string> => {
  const characterJson = { name: `Large ${randomUUID()}`, bio: 'x', ...character };
  return app.data(await api.post('/api/agents', { characterJson }, app.as())).id;
};

const MOST_SECRETS = 5000;
const settings = Object.fromEntries(Array.from({ length: MOST_SECRETS }, (_, index) => [`n${index}ApiKey`, `value-of-${index}`]));

describe('5,000 settings with names of secrets', () => {
  let agentId: string;
  const path = (): string => `/api/agents/${agentId}`;

  it.each<[string, () => Promise<unknown>]>([
    ['are created', async () => (agentId = await create({ settings }))],
    ['are changed', () => api.send('PATCH', path(), { settings: { n1ApiKey: 'another-value' } }, app.as())],
    ['can be read', () => api.get(path(), app.as())],
    ['are deleted', () => api.delete(path(), app.as())],
  ])('%s, each checked a few times', async (_words, operation) => {
    expect(await elementsSearched(operation)).toBeLessThan(60 * MOST_SECRETS);
  });
});

describe('a text of 1,800,000 characters', () => {
  const text = '. '.repeat(900_000);
  const measures = (separator: unknown): boolean => separator instanceof RegExp && separator.source.startsWith('(\\s+|');

  it.each<[string, object]>([
    ['as a fact', { knowledge: [text] }],
    ['as many facts', { knowledge: Array.from({ length: 90 }, () => text.slice(0, 20_000)) }],
    ['as the biography', { bio: text }],
    ['as the instructions', { system: text }],
  ])('%s is measured by its beginning', async (_words, character) => {
    const agentId = await create(character);
    app.data(await api.post(`/api/agents/${agentId}/start`, {}, app.as()));
    const { sessionId, token } = await app.session(agentId, randomUUID());
    const say = (): Promise<unknown> =>
      api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: 'Hello', transport: 'http' }, app.as(token));
    expect(await charactersRead('split', say, measures)).toBeLessThan(200_000);
  });
});
