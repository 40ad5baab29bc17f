// POST /api/agents, GET, PATCH and DELETE /api/agents/{agentId}, start, stop
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { UnitOfWork } from '../../src/core/database/index.js';
import { idFromText, newId } from '../../src/core/ids/index.js';
import { MASK } from '../../src/core/secrets/index.js';
import { AgentsService } from '../../src/modules/agents/index.js';
import { apiDocument } from '../support/api-document.js';
import { ADA } from '../support/create-test-app.js';
import { expectData, expectError, expectHybrid } from '../support/expect-envelope.js';
import { Gate } from '../support/scripted-model.js';
import { contractApp, NOBODY, SESSIONS, USER } from './support/contract-app.js';
import { describePathId } from './support/describe-operation.js';
import { AGENT, expectShape } from './support/shapes.js';

const CLARA = { id: idFromText('Clara'), name: 'Clara', bio: ['Clara is made over HTTP.', 'She paints.'] };
const FULL = {
  ...CLARA,
  username: 'clara',
  system: 'You paint.',
  templates: { replyTemplate: 'Reply.' },
  messageExamples: [[{ name: 'Clara', content: { text: 'Blue.' } }]],
  postExamples: ['Today: blue.'],
  topics: ['colours'],
  adjectives: ['bright'],
  knowledge: ['Blue is a colour.'],
  plugins: ['painter'],
  style: { all: ['Be brief.'], chat: [], post: [] },
};
const SECRET = 'hunter2-hunter2';

const NO_CHARACTERS: [name: string, body: unknown, code: 'VALIDATION_ERROR' | 'CHARACTER_INVALID', names: string][] = [
  ['nothing', {}, 'VALIDATION_ERROR', 'characterJson'],
  ['a character as text', { characterJson: '{}' }, 'VALIDATION_ERROR', 'characterJson'],
  ['a character as list', { characterJson: [CLARA] }, 'VALIDATION_ERROR', 'characterJson'],
  ['null', { agent: null }, 'VALIDATION_ERROR', 'agent'],
  ['a path that is no text', { characterPath: 7 }, 'VALIDATION_ERROR', 'characterPath'],
  ['an absolute path', { characterPath: '/etc/passwd.json' }, 'VALIDATION_ERROR', 'characterPath'],
  ['a path out of the folder', { characterPath: '../outside.json' }, 'VALIDATION_ERROR', 'characterPath'],
  ['a link out of the folder', { characterPath: 'below/link.json' }, 'VALIDATION_ERROR', 'characterPath'],
  ['an address', { characterPath: 'http://127.0.0.1/clara.json' }, 'VALIDATION_ERROR', 'characterPath'],
  ['a file that is no character file', { characterPath: 'below/notes.txt' }, 'VALIDATION_ERROR', 'characterPath'],
  ['a file that is not there', { characterPath: 'nowhere.json' }, 'VALIDATION_ERROR', 'characterPath'],
  ['a file with a fault', { characterPath: 'below/faulty.json' }, 'CHARACTER_INVALID', 'bio'],
  ['no name', { characterJson: { bio: 'x' } }, 'CHARACTER_INVALID', 'name'],
  ['no bio', { agent: { name: 'Clara' } }, 'CHARACTER_INVALID', 'bio'],
  ['an id that is no UUID', { characterJson: { ...CLARA, id: 'clara' } }, 'CHARACTER_INVALID', 'id'],
  ['a field that characters do not have', { characterJson: { ...CLARA, colour: 'blue' } }, 'CHARACTER_INVALID', 'colour'],
  ['plugins that are no list', { characterJson: { ...CLARA, plugins: 'painter' } }, 'CHARACTER_INVALID', 'plugins'],
  ['settings that are no object', { characterJson: { ...CLARA, settings: 'x' } }, 'CHARACTER_INVALID', 'settings'],
  ['knowledge outside the folder', { characterJson: { ...CLARA, knowledge: ['/etc/passwd'] } }, 'CHARACTER_INVALID', 'knowledge'],
];

const BAD_CHANGES: [field: string, value: unknown][] = [
  ['name', ''],
  ['name', 7],
  ['name', null],
  ['bio', 7],
  ['bio', null],
  ['system', 7],
  ['topics', 'blue'],
  ['plugins', 'painter'],
  ['plugins', [7]],
  ['settings', []],
  ['settings', 'x'],
  ['secrets', { KEY: { nested: true } }],
  ['style', { chat: [1] }],
  ['messageExamples', [[{ content: {} }]]],
  ['knowledge', ['../x.md']],
  ['templates', { replyTemplate: 7 }],
];

describe('agents over HTTP', () => {
  const app = contractApp({ 'CHARACTER.CLARA.FROM_OUTSIDE': 'outside' });
  const { api } = app;
  const path = (id: string = CLARA.id): string => `/api/agents/${id}`;
  const create = (character: object = CLARA): ReturnType<typeof api.post> => api.post('/api/agents', { characterJson: character });
  const agents = (): AgentsService => app.test.app.get(AgentsService);

  afterEach(async () => {
    await api.delete(path());
    await api.post(`${path(ADA.id)}/start`);
  });

  it.each([
    ['POST /api/agents', 201],
    ['PATCH /api/agents/{agentId}', 200],
  ])("accept the document's example of %s", async (operation, status) => {
    const { example } = apiDocument().requestContent(operation)!['application/json'] as { example?: unknown };
    const [method = '', template = ''] = operation.split(' ');
    expectData(await api.send(method, template.replace('{agentId}', ADA.id), example), status);
  });

  describe('POST /api/agents [agents.create]', () => {
    it('responds 201 with the agent and its character; the agent does not run yet', async () => {
      const data = expectData(await create(FULL), 201);
      expectShape(data, { ...AGENT, bio: expect.anything() });
      expect(data).toMatchObject({ ...FULL, status: 'inactive', character: FULL });
      expect(expectData(await api.get(path()))).toMatchObject({ ...FULL, status: 'inactive' });
    });

    it.each(['characterJson', 'agent'])('accepts the character as %s', async (field) => {
      expect(expectData(await api.post('/api/agents', { [field]: CLARA }), 201)).toMatchObject(CLARA);
    });

    it('accepts a file below the characters folder, and no other path', async () => {
      const { charactersDir, dataDir } = app.test.config;
      await mkdir(join(charactersDir, 'below'));
      await writeFile(join(charactersDir, 'below', 'clara.json'), JSON.stringify(CLARA));
      await writeFile(join(charactersDir, 'below', 'faulty.json'), '{"name":"Clara"}');
      await writeFile(join(charactersDir, 'below', 'notes.txt'), JSON.stringify(CLARA));
      await writeFile(join(dataDir, 'outside.json'), JSON.stringify(CLARA));
      await symlink(join(dataDir, 'outside.json'), join(charactersDir, 'below', 'link.json'));
      expect(expectData(await api.post('/api/agents', { characterPath: 'below/clara.json' }), 201)).toMatchObject(CLARA);
    });

    it.each(NO_CHARACTERS)('refuses %s', async (_name, body, code, names) => {
      const answer = await api.post('/api/agents', body);
      expectError(answer, 400, code);
      expect(answer.body.error.message + answer.body.error.details).toContain(names);
    });

    it('reports every error of a character', async () => {
      const { body } = await create({ colour: 'blue', topics: 7 });
      expect(body.error.details.split('; ')).toHaveLength(4);
    });

    it('derives the id from the name, and keeps an agent that already has the id', async () => {
      const { id: _id, ...withoutId } = CLARA;
      expect(expectData(await create(withoutId), 201).id).toBe(CLARA.id);
      expect(expectData(await create({ ...CLARA, bio: 'Another.' }), 201).bio).toEqual(CLARA.bio);
    });

    it('returns no other agent instead of a new one, not even one that had its name before', async () => {
      const { id: _id, ...withoutId } = CLARA;
      await create(withoutId);
      await api.send('PATCH', `/api/agents/${CLARA.id}`, { name: 'Dora' });
      const refused = await create(withoutId);
      expectError(refused, 409, 'CONFLICT');
      expect(refused.body.error.message).toContain('Dora');
      const { id, name } = expectData(await create({ ...withoutId, id: newId() }), 201);
      expect(name).toBe(CLARA.name);
      await api.delete(path(id));
    });

    it('creates one agent for concurrent requests', async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => create()));
      for (const answer of answers) expect(expectData(answer, 201)).toMatchObject(CLARA);
      expect(
        agents()
          .list()
          .filter(({ id }) => id === CLARA.id),
      ).toHaveLength(1);
    });

    it('hides secrets, and ignores their masks in a copy [agents.secrets]', async () => {
      const given = { ...CLARA, secrets: { KEY: SECRET }, settings: { API_TOKEN: SECRET, mode: 'dry', secrets: { INNER: SECRET } } };
      const answer = await create(given);
      expect(JSON.stringify(answer.body)).not.toContain(SECRET);
      expect(expectData(answer, 201)).toMatchObject({
        secrets: { KEY: MASK },
        settings: { API_TOKEN: MASK, mode: 'dry', secrets: { INNER: MASK } },
      });
      const shown = expectData(await api.get(path()));
      expect(JSON.stringify(shown)).not.toContain(SECRET);
      expect(['KEY', 'INNER', 'API_TOKEN', 'FROM_OUTSIDE'].map((key) => agents().setting(CLARA.id, key))).toEqual([
        SECRET,
        SECRET,
        SECRET,
        'outside',
      ]);
      await api.delete(path());
      const { characterName: _name, ...copy } = shown;
      expect(expectData(await create(copy), 201).secrets).toEqual({});
    });

    it('survives a restart', async () => {
      await create(FULL);
      await api.post(`${path()}/start`);
      await app.test.restart();
      expect(expectData(await api.get(path()))).toMatchObject({ ...FULL, status: 'active' });
    });
  });

  describe('GET /api/agents', () => {
    it('pages behind a cursor', async () => {
      await create();
      const seen: string[] = [];
      for (let after = ''; ;) {
        const { agents: page, nextCursor } = expectData(await api.get(`/api/agents?limit=1${after}`));
        seen.push(...page.map(({ id }: { id: string }) => id));
        if (nextCursor === null) break;
        after = `&after=${nextCursor}`;
      }
      expect(seen).toEqual(expectData(await api.get('/api/agents')).agents.map(({ id }: { id: string }) => id));
    });

    it('pages on after a deleted agent', async () => {
      await create({ ...CLARA, id: newId(), name: 'Zoe "Z" Clara' });
      await create();
      const all: string[] = expectData(await api.get('/api/agents')).agents.map(({ id }: { id: string }) => id);
      const before = all.indexOf(CLARA.id);
      const { nextCursor } = expectData(await api.get(`/api/agents?limit=${before + 1}`));
      await api.delete(path());
      const rest = expectData(await api.get(`/api/agents?limit=1&after=${nextCursor}`));
      expect(rest.agents).toMatchObject([{ id: all[before + 1] }]);
      await api.delete(path(all[before + 1]));
    });

    it.each(['limit=x', 'limit=-1', 'limit=1.5', 'after=x', `limit=1&after=${NOBODY}`])('refuses %s', async (query) => {
      expectError(await api.get(`/api/agents?${query}`), 400, 'VALIDATION_ERROR');
    });
  });

  describe('GET /api/agents/{agentId}', () => {
    describePathId('agentId', { send: (id) => api.get(path(id)), unknown: 'AGENT_NOT_FOUND' });
  });

  describe('PATCH /api/agents/{agentId} [agents.update]', () => {
    describePathId('agentId', { send: (id) => api.patch(path(id), { system: 'x' }), unknown: 'AGENT_NOT_FOUND' });

    it('changes the given fields and keeps the others', async () => {
      await create(FULL);
      const data = expectData(await api.patch(path(), { bio: 'Paints.', topics: [], system: null }));
      const { system: _system, ...kept } = FULL;
      expect(data).toMatchObject({ ...kept, bio: 'Paints.', topics: [] });
      expect(data).not.toHaveProperty('system');
      expect(expectData(await api.get(path()))).toEqual(data);
    });

    it('merges settings and secrets at every depth; null deletes a key, a mask keeps it', async () => {
      await create({
        ...CLARA,
        secrets: { A: SECRET, B: 'b' },
        settings: { voice: { model: 'en', rate: 1 }, mode: 'dry', secrets: { C: SECRET } },
      });
      const change = {
        secrets: { A: MASK, B: null, N: 'new' },
        settings: { voice: { rate: 2 }, mode: null, extra: true, secrets: { C: MASK, D: 'd' } },
      };
      const data = expectData(await api.patch(path(), change));
      expect(data).toMatchObject({
        secrets: { A: MASK, N: MASK },
        settings: { voice: { model: 'en', rate: 2 }, extra: true, secrets: { C: MASK, D: MASK } },
      });
      expect(data.settings).not.toHaveProperty('mode');
      expect(['A', 'B', 'C', 'D', 'N'].map((key) => agents().setting(CLARA.id, key))).toEqual([SECRET, undefined, SECRET, 'd', 'new']);
    });

    it('changes nothing when an agent is sent back as it was read', async () => {
      await create({ ...FULL, secrets: { A: SECRET }, settings: { TOKEN: SECRET } });
      const before = expectData(await api.get(path()));
      app.clock.advance(1000);
      expect(expectData(await api.patch(path(), before))).toEqual(before);
      expect(agents().setting(CLARA.id, 'A')).toBe(SECRET);
    });

    it('ignores read-only and unknown fields', async () => {
      await create();
      expect(expectData(await api.patch(path(), { id: NOBODY, status: 'active', createdAt: 1, colour: 'blue' }))).toMatchObject({
        ...CLARA,
        status: 'inactive',
      });
    });

    it.each(BAD_CHANGES)('refuses %s: %j', async (field, value) => {
      await create();
      const answer = await api.patch(path(), { [field]: value });
      expectError(answer, 400, 'CHARACTER_INVALID');
      expect(answer.body.error.details).toContain(field);
      expect(expectData(await api.get(path()))).toMatchObject(CLARA);
    });

    it.each(['[]', 'null', '"x"', '7'])('refuses the body %s', async (body) => {
      expectError(await api.patch(path(ADA.id), body, { headers: { 'content-type': 'application/json' } }), 400, 'VALIDATION_ERROR');
    });

    it('affects replies at once: a renamed agent replies with its new name', async () => {
      await create();
      await api.post(`${path()}/start`);
      expectData(await api.patch(path(), { name: 'Clara Vox', system: 'You sing.' }));
      app.test.model.reply('La.');
      const { sessionId } = await app.newSession({ agentId: CLARA.id });
      await api.post(`${SESSIONS}/${sessionId}/messages`, { content: 'Sing.', transport: 'http' });
      expect(JSON.stringify(app.test.model.requests.at(-1)?.messages)).toContain('You sing.');
    });
  });

  describe('start and stop', () => {
    describePathId('agentId', { send: (id) => api.post(`${path(id)}/start`), unknown: 'AGENT_NOT_FOUND' });
    describePathId('agentId', { send: (id) => api.post(`${path(id)}/stop`), unknown: 'AGENT_NOT_FOUND' });

    it('return the status; a second start succeeds, a second stop is 404', async () => {
      await create();
      const { id, name } = CLARA;
      for (let times = 0; times < 2; times++) expect(expectData(await api.post(`${path()}/start`))).toEqual({ id, name, status: 'active' });
      const stopped = { id, name, status: 'inactive', message: 'Agent stopped' };
      expect(expectHybrid(await api.post(`${path()}/stop`))).toEqual(stopped);
      expectError(await api.post(`${path()}/stop`), 404, 'AGENT_NOT_FOUND');
    });

    it('accept a JSON content type without a body, as the official client sends', async () => {
      const headers = { 'content-type': 'application/json' };
      expectHybrid(await api.post(`${path(ADA.id)}/stop`, undefined, { headers }));
      expectData(await api.post(`${path(ADA.id)}/start`, undefined, { headers }));
    });

    it('a stopped agent has no new sessions and does not reply [agents.stopped]', async () => {
      const { sessionId } = await app.newSession();
      await api.post(`${path(ADA.id)}/stop`);
      expectError(await api.post(SESSIONS, { agentId: ADA.id, userId: USER }), 404, 'AGENT_NOT_FOUND');
      expectError(await api.post(`${SESSIONS}/${sessionId}/messages`, { content: 'Hello?', transport: 'http' }), 404, 'AGENT_NOT_FOUND');
      await api.post(`${path(ADA.id)}/start`);
      app.test.model.reply('Here.');
      const answer = await api.post(`${SESSIONS}/${sessionId}/messages`, { content: 'Hello?', transport: 'http' });
      expect(answer.body.agentResponse.text).toBe('Here.');
    });

    it('stopping cancels the running reply, and waiting clients learn of it [agents.stopped]', async () => {
      const { sessionId, channelId } = await app.newSession();
      const gate = new Gate();
      app.test.model.deltas(['A long answer.'], { gate });
      const waiting = api.post(`${SESSIONS}/${sessionId}/messages`, { content: 'Tell me.', transport: 'http' });
      await app.entry(channelId, 'turn.started');
      await api.post(`${path(ADA.id)}/stop`);
      expectError(await waiting, 409, 'TURN_CANCELLED');
      gate.open();
      expect((await app.messages(channelId)).map(({ content }) => content)).toEqual(['Tell me.']);
    });
  });

  describe('DELETE /api/agents/{agentId}', () => {
    describePathId('agentId', { send: (id) => api.delete(path(id)), unknown: 'AGENT_NOT_FOUND' });

    it('responds 204 without a body, and then 404', async () => {
      await create();
      const answer = await api.delete(path(), { headers: { 'content-type': 'application/json' } });
      expect({ status: answer.status, body: answer.body, type: answer.headers.get('content-type') }).toEqual({
        status: 204,
        body: '',
        type: null,
      });
      expectError(await api.delete(path()), 404, 'AGENT_NOT_FOUND');
      expectError(await api.get(path()), 404, 'AGENT_NOT_FOUND');
    });

    it('deletes everything that the agent owns, and nothing else [agents.deletion]', async () => {
      await create();
      await api.post(`${path()}/start`);
      const { sessionId, channelId } = await app.newSession({ agentId: CLARA.id });
      app.test.model.reply('Blue.');
      await api.post(`${SESSIONS}/${sessionId}/messages`, { content: 'Which colour?', transport: 'http' });
      expect(Object.values(await left(CLARA.id)).every((rows) => rows > 0)).toBe(true);
      expect((await api.delete(path())).status).toBe(204);
      expect(await left(CLARA.id)).toEqual({ worlds: 0, rooms: 0, entities: 0, memories: 0, participants: 0, turns: 0, members: 0 });
      expectError(await api.get(`${SESSIONS}/${sessionId}`), 404, 'SESSION_NOT_FOUND');
      expect((await app.messages(channelId)).map(({ content }) => content)).toEqual(['Blue.', 'Which colour?']);
      const { metadata } = expectData(await api.get(`/api/messaging/channels/${channelId}/details`));
      expect(metadata.participantCentralUserIds).toEqual([USER]);
    });

    it('cancels the running reply', async () => {
      await create();
      await api.post(`${path()}/start`);
      const { sessionId, channelId } = await app.newSession({ agentId: CLARA.id });
      const gate = new Gate();
      app.test.model.deltas(['A long answer.'], { gate });
      const waiting = api.post(`${SESSIONS}/${sessionId}/messages`, { content: 'Tell me.', transport: 'http' });
      await app.entry(channelId, 'turn.started');
      expect((await api.delete(path())).status).toBe(204);
      expectError(await waiting, 409, 'TURN_CANCELLED');
      gate.open();
    });

    it('keeps a deleted agent away until its character file changes [agents.deletion]', async () => {
      const file = join(app.test.config.charactersDir, 'clara.json');
      await writeFile(file, JSON.stringify(CLARA));
      await app.test.restart();
      expect(expectData(await api.get(path())).status).toBe('active');
      await api.delete(path());
      await app.test.restart();
      expectError(await api.get(path()), 404, 'AGENT_NOT_FOUND');
      await writeFile(file, JSON.stringify({ ...CLARA, bio: 'Back.' }));
      await app.test.restart();
      expect(expectData(await api.get(path())).bio).toBe('Back.');
      await rm(file);
    });
  });

  it('hide the cause of an internal error', async () => {
    await create();
    app.breakStorage();
    expectError(await create({ name: 'Dora', bio: 'x' }), 500, 'INTERNAL_ERROR');
    expectError(await api.patch(path(), { bio: 'x' }), 500, 'INTERNAL_ERROR');
    expectError(await api.post(`${path()}/start`), 500, 'INTERNAL_ERROR');
    expectError(await api.delete(path()), 500, 'INTERNAL_ERROR');
  });

  /** Rows that belong to an agent. */
  async function left(agentId: string): Promise<Record<string, number>> {
    const tables: Record<string, string> = {
      worlds: 'worlds WHERE agent_id',
      rooms: 'rooms WHERE agent_id',
      entities: 'entities WHERE agent_id',
      memories: 'memories WHERE agent_id',
      participants: 'participants WHERE agent_id',
      turns: 'turns WHERE agent_id',
      members: 'channel_participants WHERE entity_id',
    };
    return app.test.app.get(UnitOfWork).run('count', async (tx) => {
      const counts: Record<string, number> = {};
      for (const [name, from] of Object.entries(tables)) {
        const [row] = await tx.rows<{ n: number }>(`SELECT count(*) AS n FROM ${from} = ?`, [agentId]);
        counts[name] = Number(row?.n);
      }
      return counts;
    });
  }
});
