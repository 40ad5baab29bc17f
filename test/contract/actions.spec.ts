// Which actions and tools an agent's model could call for a message, and why others not: GET /api/agents/{agentId}/actions, and the runs.
import { describe, expect, it } from '@jest/globals';
import type { ApiResponse } from '../support/api-client.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectData, expectError } from '../support/expect-envelope.js';
import { contractApp } from './support/contract-app.js';
import { describePathId } from './support/describe-operation.js';

type Data = ApiResponse['body'];

const BAKERY = `const handler = async () => 'done';
export default {
  name: 'bakery',
  actions: [
    { name: 'BAKE', similes: ['MAKE_BREAD'], description: 'Bakes.', parameters: { type: 'object', properties: { loaves: { type: 'integer' } } }, handler },
    { name: 'SELL', description: 'Sells.', validate: async (runtime, message) => message.content.text.includes('buy'), handler },
    { name: 'SHIP', description: 'Ships.', validate: async (runtime) => runtime.getSetting('SHIP_KEY') !== null, handler },
    { name: 'BURN', description: 'Burns.', validate: async () => { throw new Error('no oven, with the key parley_0123456789abcdefghijklmnopqrst'); }, handler },
    { name: 'WARM', description: 'Warms.', validate: async (runtime, message, state) => state.text === 'The oven is hot.', handler },
  ],
  providers: [{ name: 'OVEN', get: async () => ({ text: 'The oven is hot.' }) }],
  toolSources: [{ name: 'shelf', tools: async () => [
    { name: 'BAKE', description: 'Another one.', handler },
    { name: 'FETCH', description: 'Fetches.', handler },
  ] }],
};`;
const GARDEN = `export default { name: 'garden', actions: [{ name: 'DIG', description: 'Digs.', handler: async () => 'done' }] };`;

describe("an agent's actions", () => {
  const app = contractApp(
    {},
    {
      plugins: { 'bakery.mjs': BAKERY, 'garden.mjs': GARDEN },
      characters: [
        { name: ADA.name, bio: 'x', plugins: ['bakery'] },
        { name: BOB.name, bio: 'x', plugins: ['garden'] },
      ],
    },
  );
  const { api } = app;
  const path = (id = ADA.id): string => `/api/agents/${id}/actions`;
  const list = async (query = '', id = ADA.id): Promise<Data[]> => expectData(await api.get(`${path(id)}${query}`)).actions;

  it('are listed with the reason why one is not offered', async () => {
    const actions = await list();
    expect(actions.map(({ name, kind, plugin, offered, reason }) => [name, kind, plugin, offered, reason])).toEqual([
      ['BAKE', 'action', 'bakery', true, null],
      ['SELL', 'action', 'bakery', false, 'condition'],
      ['SHIP', 'action', 'bakery', false, 'condition'],
      ['BURN', 'action', 'bakery', false, 'failed'],
      ['WARM', 'action', 'bakery', true, null],
      ['BAKE', 'tool', 'bakery', false, 'name'],
      ['FETCH', 'tool', 'bakery', true, null],
      ['DIG', 'action', 'garden', false, 'plugin'],
    ]);
    expect(actions[0]).toEqual({
      ...{ name: 'BAKE', kind: 'action', plugin: 'bakery', description: 'Bakes.', similes: ['MAKE_BREAD'] },
      parameters: { type: 'object', properties: { loaves: { type: 'integer' } } },
      ...{ offered: true, reason: null, details: null },
    });
    expect(actions[2].details).toContain('SHIP_KEY');
    expect(actions[3].details).toBe('Its condition (`validate`) failed: no oven, with the key [hidden]');
    expect(actions[7].details).toBe('The agent does not list plugin garden.');
    expect((await list('', BOB.id)).filter(({ offered }) => offered).map(({ name }) => name)).toEqual(['DIG']);
  });

  it('are listed for a message', async () => {
    const [, sell] = await list('?text=I%20would%20buy%20one');
    expect(sell).toMatchObject({ name: 'SELL', offered: true });
  });

  it('appear in the run, offered and refused', async () => {
    app.test.model.reply('Hello.');
    const channel = await app.newChannel();
    await app.say(channel.id, 'May I buy one?');
    const { payload } = await app.entry(channel.id, 'turn.finished');
    const { context } = expectData(await api.get(`/api/agents/${ADA.id}/runs/${payload.replyId}`));
    expect(context.actions.offered).toEqual(['BAKE', 'SELL', 'WARM', 'FETCH']);
    expect(context.actions.refused.map(({ name, plugin, reason }: Data) => [name, plugin, reason])).toEqual([
      ['SHIP', 'bakery', 'condition'],
      ['BURN', 'bakery', 'failed'],
      ['BAKE', 'bakery', 'name'],
    ]);
    expect(app.test.model.requests.at(-1)!.tools!.map(({ name }) => name)).toEqual(context.actions.offered);
  });

  it.each([
    ['text that is too long', `?text=${'x'.repeat(10_001)}`],
    ['text that is given twice', '?text=a&text=b'],
  ])('refuse %s', async (_what, query) => {
    expectError(await api.get(`${path()}${query}`), 400, 'VALIDATION_ERROR');
  });

  describePathId('agentId', { send: (id) => api.get(path(id)), unknown: 'AGENT_NOT_FOUND' });
});
