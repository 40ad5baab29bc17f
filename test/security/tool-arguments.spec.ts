// What a model writes is input like any other: no handler sees arguments that its action does not allow.
import { afterEach, beforeAll, afterAll, describe, expect, it } from '@jest/globals';
import { STORE, type Store } from '../../src/core/database/index.js';
import { ADA } from '../support/create-test-app.js';
import { PluginApp, TELL } from '../plugins/support/plugin-app.js';

const ZOD = new URL('../../node_modules/zod/index.js', import.meta.url).href;
const action = (name: string, parameters: string): string =>
  `{ name: '${name}', description: 'x', ${parameters === '' ? '' : `parameters: ${parameters},`}
    handler: (runtime, message, state, options) => { tell('${name}', { parameters: options.parameters, options }); options.parameters.seen = true; return 'done'; } }`;

const ORDER = `{ type: 'object', additionalProperties: false, required: ['item'],
  properties: {
    item: { type: 'string', minLength: 1, maxLength: 20, pattern: '^[a-z]+$' },
    count: { type: 'integer', minimum: 1, default: 7 },
    size: { enum: ['small', 'large'] },
    when: { type: 'string', format: 'date-time' },
    gift: { type: 'boolean' },
    address: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false },
    notes: { type: 'array', items: { type: 'string' }, maxItems: 3 },
    note: { type: ['string', 'null'] },
  } }`;

const PLUGIN = `${TELL}
import { z } from ${JSON.stringify(ZOD)};
const own = { '~standard': { version: 1, vendor: 'own', jsonSchema: { input: () => ({ type: 'object', properties: { name: { type: 'string' } } }) },
  async validate({ name }) {
    if (name === 'broken') throw new Error('out of order');
    return name === 'taken' ? { issues: [{ path: [{ key: 'name' }], message: 'is taken' }] } : { value: { name: name.trim() } };
  } } };
export default { name: 'shop', actions: [
  ${action('ORDER', ORDER)},
  ${action('OPEN', `{ type: 'object', properties: { a: { type: 'number' } } }`)},
  ${action('OLD', `{ $schema: 'http://json-schema.org/draft-07/schema#', properties: { pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] } } }`)},
  ${action('SHARED', `{ $schema: 'https://json-schema.org/draft/2020-12/schema', $defs: { n: { type: 'number' } }, type: 'object', properties: { n: { $ref: '#/$defs/n' } } }`)},
  ${action('LIST', `[{ name: 'city', required: true }, { name: 'days', schema: { type: 'integer' } }, { name: 'unit', schema: { enum: [1, 2] } }]`)},
  ${action('NOTHING', '')},
  ${action('ZOD', `z.object({ city: z.string().min(2), days: z.number().int().max(9).optional() }).strict()`)},
  ${action('ASYNC', 'own')},
] };`;

const USER = '11111111-1111-1111-1111-111111111111';
const LONG = 'x'.repeat(100_001);
const deep = (): unknown => Array.from({ length: 2000 }).reduce((inner) => ({ inner }), {});

/** What the model gives, to which action, and what it is told. */
const WRONG: [what: string, name: string, input: unknown, told: RegExp][] = [
  ['no JSON', 'ORDER', '{"item": "app', /^ORDER was not run, call it again with valid arguments: the arguments are not valid JSON \(.+\)$/],
  ['JSON in a text', 'ORDER', '{"item":"apple"}', /the arguments must be a JSON object, not text/],
  ['a list', 'ORDER', [{ item: 'apple' }], /the arguments must be a JSON object$/],
  ['null', 'ORDER', null, /the arguments must be a JSON object$/],
  ['a number', 'ORDER', 7, /the arguments must be a JSON object$/],
  ['nothing that is required', 'ORDER', {}, /item: is missing$/],
  ['a number for a text', 'ORDER', { item: 7 }, /item: must be string$/],
  ['a text for a number', 'ORDER', { item: 'apple', count: '2' }, /count: must be integer$/],
  ['a fraction for a whole number', 'ORDER', { item: 'apple', count: 1.5 }, /count: must be integer$/],
  ['a text for a boolean', 'ORDER', { item: 'apple', gift: 'true' }, /gift: must be boolean$/],
  ['too little', 'ORDER', { item: 'apple', count: 0 }, /count: must be >= 1$/],
  ['what is not on the list', 'ORDER', { item: 'apple', size: 'huge' }, /size: must be one of "small","large"$/],
  ['what does not match', 'ORDER', { item: '; DROP TABLE' }, /item: must match pattern/],
  ['no time', 'ORDER', { item: 'apple', when: 'tomorrow' }, /when: must match format "date-time"$/],
  ['an extra argument', 'ORDER', { item: 'apple', admin: true }, /admin: is not an argument of this action$/],
  ['__proto__', 'ORDER', JSON.parse('{"item":"apple","__proto__":{"admin":true}}'), /__proto__: is not an argument/],
  [
    'a fault further in',
    'ORDER',
    { item: 'apple', address: { town: 'x' } },
    /address\.city: is missing; address\.town: is not an argument/,
  ],
  ['a fault in a list', 'ORDER', { item: 'apple', notes: ['a', 1] }, /notes\.1: must be string$/],
  ['too many', 'ORDER', { item: 'apple', notes: ['a', 'b', 'c', 'd'] }, /notes: must NOT have more than 3 items$/],
  ['more faults than anybody reads', 'ORDER', Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`x${n}`, n])), /; 31 more$/],
  ['a huge text', 'ORDER', { item: LONG }, /the arguments have more than 100000 characters$/],
  ['a huge text that is no JSON', 'ORDER', LONG, /the arguments have more than 100000 characters$/],
  ['too many levels', 'OPEN', deep(), /the arguments are nested too deeply$/],
  ['a wrong type for an open schema', 'OPEN', { a: 'one' }, /a: must be number$/],
  ['a wrong pair', 'OLD', { pair: ['a', 'b'] }, /pair\.1: must be number$/],
  ['a wrong type behind a reference', 'SHARED', { n: '1' }, /n: must be number$/],
  ['nothing for a list that requires it', 'LIST', {}, /city: is missing$/],
  ['a number where the list says nothing', 'LIST', { city: 7 }, /city: must be string$/],
  ['what the list does not name', 'LIST', { city: 'Rome', planet: 'Mars' }, /planet: is not an argument/],
  ['a value that the list does not allow', 'LIST', { city: 'Rome', unit: '1' }, /unit: must be one of 1,2$/],
  ['no object for an action that declares nothing', 'NOTHING', [1], /must be a JSON object/],
  ['a wrong type for zod', 'ZOD', { city: 'Rome', days: '2' }, /days: .*number/],
  ['an extra argument for zod', 'ZOD', { city: 'Rome', x: 1 }, /the arguments: .*x/],
  ['what a check of the plugin refuses', 'ASYNC', { name: 'taken' }, /name: is taken$/],
  ['what a check of the plugin fails on', 'ASYNC', { name: 'broken' }, /out of order$/],
];

/** What the model gives, to which action, and what the handler gets. */
const RIGHT: [what: string, name: string, input: unknown, got: object][] = [
  [
    'everything',
    'ORDER',
    { item: 'apple', count: 2, size: 'small', note: null, notes: [] },
    { item: 'apple', count: 2, size: 'small', note: null, notes: [] },
  ],
  ['no default in the place of what is absent', 'ORDER', { item: 'apple' }, { item: 'apple' }],
  ['more than an open schema names', 'OPEN', { a: 1, b: [2] }, { a: 1, b: [2] }],
  ['a pair', 'OLD', { pair: ['a', 1] }, { pair: ['a', 1] }],
  ['what is behind a reference', 'SHARED', { n: 1 }, { n: 1 }],
  ['a list of parameters', 'LIST', { city: 'Rome', days: 3, unit: 2 }, { city: 'Rome', days: 3, unit: 2 }],
  ['nothing at all', 'NOTHING', {}, {}],
  ['an object for an action that declares nothing', 'NOTHING', { loaves: 2 }, { loaves: 2 }],
  ['what zod allows', 'ZOD', { city: 'Rome' }, { city: 'Rome' }],
  ['what a library makes of it', 'ASYNC', { name: ' free ' }, { name: 'free' }],
];

const app = new PluginApp();
/** Id of the last message. */
let asked = '';
/** Names of the actions that the reply says were done. */
let done: string[] = [];
beforeAll(() => app.start({ 'shop.mjs': PLUGIN }));
afterAll(() => app.close());
afterEach(() => {
  app.told.length = 0;
});

/** The model calls, then answers; resolves with what it was told of the calls. */
async function call(...calls: { name: string; input: unknown }[]): Promise<{ success: boolean; error?: string }[]> {
  for (const each of calls) app.test.model.calls([each]);
  app.test.model.reply('Well.');
  const { sessionId } = (await app.api.post('/api/messaging/sessions', { agentId: ADA.id, userId: USER })).body.data;
  const answer = await app.api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: 'Go.', transport: 'http' });
  expect(answer.body.data.agentResponse.text).toBe('Well.');
  asked = answer.body.data.userMessage.id;
  done = answer.body.data.agentResponse.actions;
  const { messages = [] } = app.test.model.requests.at(-1) ?? {};
  return messages.flatMap(({ role, content }) => (role === 'tool' ? [JSON.parse(content) as { success: boolean; error?: string }] : []));
}

async function recorded(): Promise<Record<string, unknown>[]> {
  const store = app.test.app.get<Store>(STORE, { strict: false });
  const rows = await store.readSource.query<{ payload: string }[]>(
    "SELECT payload FROM turn_steps WHERE kind = 'action' AND message_id = ? ORDER BY step",
    [asked],
  );
  return rows.map(({ payload }) => JSON.parse(payload) as Record<string, unknown>);
}

describe('the model gets an error, and no handler runs, when it passes', () => {
  it.each(WRONG)('%s', async (_what, name, input, told) => {
    const results = await call({ name, input });
    expect(results).toEqual([{ success: false, error: expect.stringMatching(told) }]);
    expect(results[0]?.error?.length).toBeLessThan(2000);
    expect(app.told).toEqual([]);
    expect(done).toEqual(['REPLY']);
  });
});

describe('the handler gets', () => {
  it.each(RIGHT)('%s', async (_what, name, input, got) => {
    expect(await call({ name, input })).toEqual([{ success: true, text: 'done' }]);
    expect(app.told).toMatchObject([{ event: name, data: { parameters: { ...got, seen: true }, options: got } }]);
  });
});

it('the model gets the schema of the arguments', async () => {
  await call({ name: 'NOTHING', input: {} });
  const schemas = Object.fromEntries((app.test.model.requests.at(-1)?.tools ?? []).map(({ name, parameters }) => [name, parameters]));
  expect(schemas).toMatchObject({
    ORDER: { type: 'object', required: ['item'] },
    LIST: { properties: { city: { type: 'string' }, unit: { enum: [1, 2] } }, required: ['city'], additionalProperties: false },
    NOTHING: { type: 'object', properties: {} },
    ZOD: { type: 'object', properties: { city: { type: 'string', minLength: 2 } }, required: ['city'], additionalProperties: false },
  });
  expect(schemas['LIST']).not.toHaveProperty('properties.unit.type');
});

it('the model can correct its call; the reason is recorded, and the call is stored as the model made it', async () => {
  const results = await call(
    { name: 'ORDER', input: { item: 7 } },
    { name: 'order', input: { item: 'pear' } },
    { name: 'ODER', input: {} },
  );
  expect(results).toMatchObject([
    { success: false },
    { success: true },
    { success: false, error: expect.stringMatching(/^action ODER does not exist; available actions: ORDER, OPEN/) },
  ]);
  expect((await recorded()).slice(-3)).toMatchObject([
    { action: 'ORDER', refused: 'invalid-arguments', call: { input: { item: 7 } }, durationMs: 0 },
    { action: 'ORDER', call: { input: { item: 'pear' } }, result: { success: true } },
    { action: 'ODER', refused: 'unknown-action' },
  ]);
  expect((await recorded()).at(-2)).not.toHaveProperty('call.input.seen');
  expect((await recorded()).at(-2)).not.toHaveProperty('refused');
});

it('the model has three attempts, and then continues without the action', async () => {
  const wrong = { name: 'ORDER', input: {} };
  const results = await call(wrong, wrong, wrong, { name: 'ORDER', input: { item: 'pear' } }, { name: 'NOTHING', input: {} });
  expect(results).toEqual([
    { success: false, error: expect.stringContaining('call it again') },
    { success: false, error: expect.stringContaining('call it again') },
    { success: false, error: expect.stringContaining('answer without it') },
    { success: false, error: 'ORDER was called with invalid arguments 3 times; answer without it' },
    { success: true, text: 'done' },
  ]);
  expect(app.told.map(({ event }) => event)).toEqual(['NOTHING']);
  expect(done).toEqual(['NOTHING']);
  expect((await recorded()).at(-2)).toMatchObject({ refused: 'too-many-tries' });
});

it('huge arguments are neither stored nor sent back', async () => {
  await call({ name: 'ORDER', input: { item: LONG } });
  expect(JSON.stringify(app.test.model.requests.at(-1)?.messages).length).toBeLessThan(20_000);
  expect((await recorded()).at(-1)).toMatchObject({ call: { input: null, dropped: 'have more than 100000 characters' } });
});
