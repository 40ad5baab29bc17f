// A server with something of everything that the console shows, made over the API alone: for pictures, figures and checks of every page.
import { setTimeout } from 'node:timers/promises';
import type { ModelBehaviour, ModelServerRequest } from '../../support/model-server.mjs';
import { ConsoleServer } from './console-server.js';

/** The person in whose browser the console is opened (`localStorage`). */
const ME = '5d0f6a3c-7c55-4c8e-9d1e-2b1c90a7f0aa';
const OTHER = 'b7f4dd5e-0f3a-4e58-8d8b-61f6d2a4a9c1';

const CHARACTERS = [
  {
    name: 'Ada',
    bio: ['Ada answers questions about the orders of a kettle shop.', 'She likes exact numbers.'],
    system: 'You are Ada, the analyst of a kettle shop. Answer briefly, with numbers.',
    topics: ['orders', 'sales', 'kettles'],
    adjectives: ['exact', 'calm'],
    plugins: ['shop'],
    settings: { secrets: { SHOP_KEY: 'open-sesame-of-the-shop' } },
  },
  { name: 'Bob', bio: 'Bob repairs kettles and knows every spare part.', topics: ['repairs', 'spare parts'] },
  { name: 'Grace', bio: 'Grace translates for customers in other countries.', topics: ['languages'] },
];

const SHOP = `
export default {
  name: 'shop',
  description: 'Orders of the kettle shop',
  version: '1.4.0',
  config: {
    SHOP_KEY: { description: 'Key of the shop', secret: true },
    SHOP_CURRENCY: { description: 'Currency of prices', default: 'EUR' },
  },
  actions: [
    {
      name: 'LOOK_UP_ORDER',
      description: 'Looks up an order by its number.',
      parameters: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
      async handler(runtime, message, state, options) {
        runtime.logger.info('an order was looked up', { number: options.parameters.number });
        return { success: true, text: 'Order 4711: two kettles, sent on Monday, arrives on Thursday.', data: { number: 4711, kettles: 2 } };
      },
    },
    {
      name: 'REFUND',
      description: 'Pays an order back.',
      validate: async () => false,
      async handler() {
        return { success: false, error: 'Refunds are paid by people.' };
      },
    },
  ],
  providers: [{ name: 'STOCK', get: async () => ({ text: 'In stock: 31 kettles, 12 lids.' }) }],
  evaluators: [
    {
      name: 'SATISFACTION',
      description: 'Notes how the conversation goes.',
      examples: [],
      validate: async () => true,
      async handler(runtime) {
        runtime.logger.info('the customer seems content');
      },
    },
  ],
  routes: [
    { type: 'GET', path: '/shop/stock', public: true, handler: (request, response) => response.json({ kettles: 31 }) },
    {
      type: 'POST',
      path: '/shop/orders',
      webhook: { verify: () => true, mode: 'ack', attempts: 1, dedupe: (request) => String(request.body.number) },
      async handler(request, response, runtime) {
        if (request.body.number === 4712) throw new Error('The warehouse does not know order 4712');
        runtime.logger.info('a new order', { number: request.body.number });
      },
    },
  ],
};
`;

const PLUGINS = {
  'shop.mjs': SHOP,
  'weather.mjs': "import { forecast } from 'a-weather-service';\nexport default { name: 'weather', description: forecast };\n",
};

const REPORT = `Sales rose by **12 %**, mostly at weekends.

| Month | Kettles | Lids |
|---|---:|---:|
| September | 410 | 96 |
| October | 459 | 121 |

To see it yourself:

\`\`\`sql
SELECT month, sum(kettles) AS kettles, sum(lids) AS lids
FROM sales
GROUP BY month ORDER BY month;
\`\`\`

1. Weekends brought 61 % of the orders.
2. The steel kettle is still the first choice.`;

const RETURNS = `# Returns

Kettles can be returned within 30 days, also when they were used. The customer pays the postage unless the kettle was faulty.

# Repairs

A leaking lid is replaced for free within two years. Send the kettle without its cable; the repair takes about a week.`;

/** Longer than any column. */
const LONG_QUESTION = `Which kettle is the right one for ${'a kitchen with two doors and a very small window, '.repeat(6)}if the budget is tight?`;
const LONG_ANSWER = `**The steel kettle**: ${'it boils a litre in two minutes, keeps it warm for an hour, and costs less than the others. '.repeat(8)}
See [the list of kettles](/docs/knowledge.md) and \`kettles.csv\`.`;

/** What Ada notes of the six messages of a conversation. */
const FACTS = JSON.stringify({ add: [{ text: 'Prefers deliveries in the morning.', key: 'deliveries', sources: [4] }] });

/** What the language model says, by what it is asked last. */
const SAYS: readonly [question: RegExp, behaviour: ModelBehaviour][] = [
  [/how did we do/i, { kind: 'reply', text: REPORT, delayMs: 2 }],
  [
    /return a kettle/i,
    { kind: 'reply', text: 'Yes: within 30 days, also when it was used. The postage is yours unless the kettle was faulty.' },
  ],
  [/a very small window/i, { kind: 'reply', text: LONG_ANSWER }],
  [/forecast of next year/i, { kind: 'status', status: 500, message: 'The model is overloaded' }],
  [/remember/i, { kind: 'reply', text: 'I will remember that you prefer deliveries in the morning.' }],
  [/lid is leaking/i, { kind: 'reply', text: 'Bob here: a leaking lid is replaced for free. Send the kettle without its cable.' }],
];

function says({ messages }: ModelServerRequest['body']): ModelBehaviour {
  const all = messages as { role: string; content: unknown }[];
  if (String(all[0]?.content).startsWith('You keep notes')) return { kind: 'reply', text: FACTS };
  const last = all.at(-1);
  const text = JSON.stringify(last?.content ?? '');
  if (last?.role === 'tool') {
    return { kind: 'reply', text: 'Order **4711** has two kettles. It was sent on Monday and arrives on Thursday.' };
  }
  if (/order 4711/i.test(text)) return { kind: 'calls', calls: [{ id: 'call-1', name: 'LOOK_UP_ORDER', input: { number: 4711 } }] };
  return SAYS.find(([question]) => question.test(text))?.[1] ?? { kind: 'reply', text: 'Thank you, that is good to know.' };
}

/** What addresses of pages are made of. */
export interface SampleWorld {
  readonly server: ConsoleServer;
  /** `localStorage` of the browser of a person who has conversations. */
  readonly storage: Readonly<Record<string, string>>;
  /** Values of the parameters of addresses, by name; `id` by page as `agents.id`. */
  readonly params: Readonly<Record<string, string>>;
}

/** Starts a server and fills it. The caller closes `server`. */
export async function startSampleWorld(env: Readonly<Record<string, string>> = {}): Promise<SampleWorld> {
  const server = await ConsoleServer.start(
    { LOG_LEVEL: 'info', RUN_PROMPTS: 'true', MEMORY_EXTRACTION: 'auto', ...env },
    CHARACTERS,
    PLUGINS,
  );
  try {
    return await fill(server);
  } catch (error) {
    await server.close();
    throw error;
  }
}

async function fill(server: ConsoleServer): Promise<SampleWorld> {
  server.model.otherwise(says);
  const { agents } = (await server.call('GET', '/api/agents')) as { agents: { id: string; name: string }[] };
  const idOf = (name: string): string => {
    const found = agents.find((agent) => agent.name === name);
    if (!found) throw new Error(`${name} is not running`);
    return found.id;
  };
  const [ada, bob, grace] = [idOf('Ada'), idOf('Bob'), idOf('Grace')];

  const { id: documentId } = await server.call('POST', `/api/agents/${ada}/knowledge`, { name: 'Returns and repairs', text: RETURNS });
  await until(async () => (await server.call('GET', `/api/agents/${ada}/knowledge/${String(documentId)}`))['status'] === 'ready');

  const channelId = await talk(server, ada, ME, [
    'How did we do in October?',
    'Where is order 4711?',
    'Can I return a kettle that I have used?',
    'Please remember that I prefer deliveries in the morning.',
    'That is all for now.',
    'Good-bye!',
  ]);
  await until(async () => {
    const { facts } = (await server.call('GET', `/api/memory/${ada}/users/${ME}/profile`)) as { facts: unknown[] };
    return facts.length > 0;
  });
  await talk(server, bob, ME, ['My lid is leaking.']);
  await talk(server, ada, OTHER, ['Can I return a kettle as a present?', LONG_QUESTION]);
  await fail(server, ada, 'Make a forecast of next year for every product.');
  await group(server, [ada, bob]);

  for (const number of [4711, 4712]) {
    await server.call('POST', '/shop/orders', { number });
  }
  await until(async () => (await deliveries(server)).every(({ status }) => status === 'done' || status === 'dead'));
  await server.call('POST', '/api/keys', { name: 'Web shop', scope: 'write', agents: [ada] });
  await server.call('POST', '/api/keys', { name: 'Dashboard', scope: 'read', expiresAt: '2099-01-01T00:00:00Z' });
  await server.call('POST', `/api/agents/${grace}/stop`);

  const { runs } = (await server.call('GET', `/api/agents/${ada}/runs?limit=20`)) as {
    runs: { runId: string; counts: { actions: number } }[];
  };
  const { memories } = (await server.call('GET', `/api/agents/${ada}/memories?limit=1`)) as { memories: { id: string }[] };
  return {
    server,
    storage: { 'parley.user': ME, 'parley.userName': 'Mona' },
    params: {
      channelId,
      'channels.id': channelId,
      agentId: ada,
      'agents.id': ada,
      runId: first(runs.filter(({ counts }) => counts.actions > 0)).runId,
      memoryId: first(memories).id,
      documentId: String(documentId),
      operation: 'channelMessagesPost',
      name: 'shop',
      'plugins.view': 'deliveries',
      'keys.view': 'audit',
      userId: ME,
    },
  };
}

/** A session in which a person says these things and is answered. @returns the id of its channel */
async function talk(server: ConsoleServer, agentId: string, userId: string, messages: readonly string[]): Promise<string> {
  const { sessionId, channelId } = await openSession(server, agentId, userId);
  for (const content of messages) {
    await server.call('POST', `/api/messaging/sessions/${sessionId}/messages`, { content, transport: 'http' });
  }
  return channelId;
}

/** A turn that fails because the model does. */
async function fail(server: ConsoleServer, agentId: string, content: string): Promise<void> {
  const { sessionId } = await openSession(server, agentId, ME);
  await server.call('POST', `/api/messaging/sessions/${sessionId}/messages`, { content, transport: 'websocket' });
  await until(async () => {
    const { runs } = (await server.call('GET', `/api/agents/${agentId}/runs?limit=5`)) as { runs: { status: string }[] };
    return runs.some(({ status }) => status === 'error');
  });
}

async function openSession(server: ConsoleServer, agentId: string, userId: string): Promise<{ sessionId: string; channelId: string }> {
  const metadata = { platform: 'console', username: userId === ME ? 'Mona' : 'Karl' };
  return (await server.call('POST', '/api/messaging/sessions', { agentId, userId, metadata })) as { sessionId: string; channelId: string };
}

async function group(server: ConsoleServer, agents: readonly string[]): Promise<void> {
  const { id } = await server.call('POST', '/api/messaging/channels', {
    name: 'Workshop',
    type: 'GROUP',
    participantCentralUserIds: [ME, OTHER, ...agents],
  });
  await server.call('POST', `/api/messaging/channels/${String(id)}/messages`, {
    author_id: OTHER,
    content: 'Bob, the lid of my kettle is leaking again.',
    transport: 'http',
  });
}

async function deliveries(server: ConsoleServer): Promise<{ status: string }[]> {
  const { deliveries: all } = (await server.call('GET', '/api/plugins/shop/deliveries')) as { deliveries: { status: string }[] };
  return all;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 30_000;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`this did not come true in 30 s: ${String(condition)}`);
    await setTimeout(25);
  }
}

function first<T>(list: readonly T[]): T {
  const [one] = list;
  if (one === undefined) throw new Error('the list of the server is empty');
  return one;
}
