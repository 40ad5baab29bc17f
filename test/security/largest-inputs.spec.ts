// The largest input that an operation permits is worked through in slices, so that other requests go on. The tests count units of work, not time.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { UnitOfWork } from '../../src/core/database/index.js';
import { InstallationIds } from '../../src/core/ids/index.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { eventually } from '../support/memory-app.js';
import { form } from '../support/uploads.js';
import { elementsSearched, mostCallsInARow } from '../support/work-units.js';
import { guardedApp } from './support/guarded-app.js';

const app = guardedApp({ env: { RATE_LIMIT: 'off' } });
const { api } = app;
beforeAll(() => {
  app.test.model.always(() => 'Hello');
});

const MOST_PARTICIPANTS = 10_000;
const people = Array.from({ length: MOST_PARTICIPANTS - 2 }, () => randomUUID());
const fields = (count: number, named = 'n'): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${named}${index}`, `value-of-${index}`]));
const everybody = [ADA.id, BOB.id, ...people];

describe('10,000 participants', () => {
  let channelId: string;
  const path = (rest = ''): string => `/api/messaging/channels/${channelId}${rest}`;
  const create = async (): Promise<void> => {
    const body = { name: 'full', participantCentralUserIds: everybody };
    channelId = app.data(await api.post('/api/messaging/channels', body, app.as())).id;
  };
  beforeAll(create);

  it.each<[string, () => Promise<unknown>]>([
    ['are created', create],
    ['are replaced by the same', () => api.send('PATCH', path(), { participantCentralUserIds: everybody.toReversed() }, app.as())],
    ['are replaced by others', () => api.send('PATCH', path(), { participantCentralUserIds: everybody.slice(1) }, app.as())],
    ['are joined by an agent', () => api.post(path('/agents'), { agentId: BOB.id }, app.as())],
    ['are listed', () => api.get(path('/participants'), app.as())],
    ['hear a message', () => api.post(path('/messages'), { author_id: people[0], content: 'Hello', transport: 'http' }, app.as())],
    ['are left alone', () => api.delete(path(), app.as())],
  ])('%s, each checked a few times', async (_words, operation) => {
    const searched = await elementsSearched(operation);
    expect(searched).toBeLessThan(60 * MOST_PARTICIPANTS);
  });
});

describe('a document of 20,000 pieces', () => {
  it('is stored a few hundred pieces at a time', async () => {
    const ids = mostCallsInARow(app.test.app.get(InstallationIds), 'of');
    const commit = jest.spyOn(app.test.app.get(UnitOfWork), 'commit');
    const knowledge = `/api/agents/${ADA.id}/knowledge`;
    const sections = Array.from({ length: 3000 }, (_, index) => `# ${index}\nx\n`).join('');
    const { id } = app.data(await api.post(knowledge, form(sections, 'sections.md'), app.as()));
    await eventually(async () => app.data(await api.get(`${knowledge}/${id}?limit=1`, app.as())).status === 'ready');
    // One for each piece of a slice, and those of a request.
    expect(ids()).toBeLessThan(520);
    expect(Math.max(...commit.mock.calls.map(([statements]) => statements.length))).toBeLessThan(100);
  });

  it('is refused with one more', async () => {
    const knowledge = `/api/agents/${ADA.id}/knowledge`;
    const { id } = app.data(await api.post(knowledge, form('# a\nb\n'.repeat(600_000), 'tiny.md'), app.as()));
    let document: { status: string; error: { code: string; message: string } } | undefined;
    await eventually(async () => {
      document = app.data(await api.get(`${knowledge}/${id}?limit=1`, app.as()));
      return document?.status === 'failed';
    });
    expect(document?.error).toMatchObject({ code: 'DOCUMENT_UNREADABLE', message: expect.stringContaining('20000 pieces') });
  });
});

describe('a character', () => {
  it.each<[string, object, string]>([
    ['more than 50,000 values', { knowledge: Array.from({ length: 50_001 }, (_, index) => `Fact ${index}`) }, '50000 values'],
    ['more than 5,000 settings', { settings: fields(5001) }, 'settings: must have at most 5000 values'],
    ['more than 5,000 templates', { templates: fields(5001) }, 'templates: must have at most 5000 values'],
    ['more than 1,000 secrets', { secrets: fields(501), settings: { secrets: fields(500) } }, '1000 secrets'],
    ['more than 1,000 files', { knowledge: Array.from({ length: 1001 }, (_, index) => ({ path: `notes/${index}.md` })) }, '1000 files'],
  ])('with %s is refused', async (_words, fields, message) => {
    const { status, body } = await api.post('/api/agents', { characterJson: { name: 'Large', bio: 'x', ...fields } }, app.as());
    expect([status, body.error.code, body.error.message]).toEqual([400, 'CHARACTER_INVALID', expect.stringContaining(message)]);
  });
});
