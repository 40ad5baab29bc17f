// Operation 10: GET /api/agents
import { beforeAll, describe, expect, it } from '@jest/globals';
import { UnitOfWork } from '../../src/core/database/index.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectData } from '../support/expect-envelope.js';
import { contractApp } from './support/contract-app.js';
import { AGENT, expectOnly, expectShape } from './support/shapes.js';

const ACTIVE = (agent: typeof ADA, bio: string): object => ({ ...agent, characterName: agent.name, bio, status: 'active' });
const BOTH = [ACTIVE(ADA, 'Ada is an agent of the tests.'), ACTIVE(BOB, 'Bob is the other agent.')];

/** There are no parameters and no body; whatever is sent changes nothing. */
const REQUESTS: [name: string, query: string, headers: Record<string, string>][] = [
  ['a plain request', '', {}],
  ['a query', '?page=1&name=Ada', {}],
  ['an agentId in the query, as plugin routes have it', `?agentId=${BOB.id}`, {}],
  ['agentId=all, which some clients send', '?agentId=all', {}],
  ['an agentId that is no UUID', '?agentId=%20', {}],
  ['a JSON content type without a body', '', { 'content-type': 'application/json' }],
  ['a wish for text', '', { accept: 'text/plain' }],
  ['the other dialect', '', { 'x-api-dialect': 'eliza' }],
];

describe('GET /api/agents', () => {
  const app = contractApp();
  const { api } = app;

  it('responds 200 with { agents } and nothing else [agents.list] [agents.details]', async () => {
    const data = expectData(await api.get('/api/agents'));
    expectOnly(data, { agents: expect.any(Array) });
    for (const agent of data.agents) expectShape(agent, AGENT);
  });

  it.each(REQUESTS)('lists every agent, by name, to %s [agents.list]', async (_name, query, headers) => {
    expect(expectData(await api.get(`/api/agents${query}`, { headers })).agents).toMatchObject(BOTH);
  });

  it('hides possible secrets of a character', async () => {
    const [agent] = expectData(await api.get('/api/agents')).agents;
    for (const key of ['settings', 'secrets', 'system', 'plugins']) expect(agent).not.toHaveProperty(key);
  });

  describe('with a stopped agent', () => {
    beforeAll(async () => {
      await app.test.app.get(UnitOfWork).commit([{ sql: "UPDATE agents SET status = 'inactive' WHERE id = ?", params: [ADA.id] }]);
      await app.test.restart();
    });

    it('lists it too, after the active ones', async () => {
      const { agents } = expectData(await api.get('/api/agents'));
      expect(agents).toMatchObject([
        { ...BOB, status: 'active' },
        { ...ADA, status: 'inactive' },
      ]);
    });
  });
});
