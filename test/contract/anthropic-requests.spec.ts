// What requests for Anthropic's messages may ask for, who may send them, and the tokens of a request.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ADA, BOB } from '../support/create-test-app.js';
import { AnthropicCaller, answered, MESSAGES, PIXEL, text, user, WEATHER } from './support/anthropic.js';
import { unlike } from './support/samples.js';
import { contractApp, NOBODY } from './support/contract-app.js';

const app = contractApp();
const { api } = app;
const { ask } = new AnthropicCaller(app);

describe('the tokens of a request', () => {
  const count = (body: object): ReturnType<typeof api.post> => api.post(`${MESSAGES}/count_tokens`, { model: 'Ada', ...body });

  it('are those of its instructions, messages and tools, and nothing is stored', async () => {
    const channels = async (): Promise<number> => (await api.get('/api/messaging/central-servers/channels')).body.data?.channels?.length;
    const before = await channels();
    const messages = [user('What is the weather in Ulm?')];
    const sizes: number[] = [];
    for (const body of [
      { messages },
      { messages, system: 'You speak like a pirate of the seventeenth century.' },
      { messages, system: 'You speak like a pirate of the seventeenth century.', tools: [WEATHER] },
    ]) {
      const answer = await count(body);
      expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['input_tokens']]);
      sizes.push(answer.body.input_tokens);
    }
    expect(sizes[0]).toBeGreaterThan(4);
    expect(sizes[0]).toBeLessThan(20);
    expect(sizes[1]! - sizes[0]!).toBeGreaterThan(6);
    expect(sizes[2]! - sizes[1]!).toBeGreaterThan(10);
    expect(await channels()).toBe(before);
  });

  it.each<[string, object, number, string]>([
    ['an unknown agent', { model: 'claude-opus-5', messages: [user()] }, 404, 'not_found_error'],
    ['no messages', { messages: [] }, 400, 'invalid_request_error'],
    ['a limit of tokens, which it does not have', { messages: [user()], max_tokens: 5 }, 400, 'invalid_request_error'],
    ['a wrong tool', { messages: [user()], tools: [{ name: 'a' }] }, 400, 'invalid_request_error'],
  ])('are refused for %s', async (_, body, status, type) => {
    const answer = await count(body);
    expect([answer.status, answer.body.error.type]).toEqual([status, type]);
  });
});

describe('POST /v1/messages refuses', () => {
  const messages = [{ role: 'user', content: 'Hello' }];
  const saying = (...content: object[]): object => ({ messages: [{ role: 'user', content }] });
  it.each<[string, object, string]>([
    ['no limit of tokens', { messages, max_tokens: undefined }, 'max_tokens'],
    ['a limit of 0 tokens', { messages, max_tokens: 0 }, 'max_tokens'],
    ['no messages', { messages: [] }, 'messages'],
    ['a message that is no object', { messages: ['Hello'] }, 'messages[0]'],
    ['an unknown role', { messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].role'],
    ['no message of the user', { messages: [answered(text('x'))] }, 'messages'],
    ['an empty message', { messages: [user(' ')] }, 'messages[0].content'],
    ['a message without content', { messages: [{ role: 'user' }] }, 'messages[0].content'],
    ['a text with NUL', { messages: [user('a\0b')] }, 'messages[0].content[0].text'],
    [
      'a picture elsewhere',
      saying({ type: 'image', source: { type: 'url', url: 'http://x/y.png' } }),
      'messages[0].content[0].source.type',
    ],
    [
      'a picture of another type',
      saying({ type: 'image', source: { type: 'base64', media_type: 'image/tiff', data: 'AA==' } }),
      'messages[0].content[0].source.media_type',
    ],
    ['a document elsewhere', saying({ type: 'document', source: { type: 'file', file_id: 'f' } }), 'messages[0].content[0].source.type'],
    [
      'citations',
      saying({ type: 'document', source: { type: 'content', content: 'x' }, citations: { enabled: true } }),
      'messages[0].content[0].citations.enabled',
    ],
    ['a block of another type', saying({ type: 'container_upload', file_id: 'f' }), 'messages[0].content[0].type'],
    ['a result without a call', saying({ type: 'tool_result', content: 'x' }), 'messages[0].content[0].tool_use_id'],
    [
      'a result with another block',
      saying({ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'tool_reference', tool_name: 'a' }] }),
      'messages[0].content[0].content[0].type',
    ],
    [
      'a reply with a tool of the server',
      { messages: [...messages, answered({ type: 'server_tool_use', id: 'a', name: 'web_search', input: {} })] },
      'messages[1].content[0].type',
    ],
    ['instructions that are no text', { messages, system: [PIXEL] }, 'system[0].type'],
    ['an unknown parameter', { messages, fallbacks: [] }, 'fallbacks'],
    ['top_k', { messages, top_k: 3 }, 'top_k'],
    ['a temperature above 1', { messages, temperature: 1.5 }, 'temperature'],
    ['an empty stop text', { messages, stop_sequences: [''] }, 'stop_sequences'],
    ['too many stop texts', { messages, stop_sequences: Array.from({ length: 17 }, String) }, 'stop_sequences'],
    ['a tool without a schema', { messages, tools: [{ name: 'a' }] }, 'tools[0].input_schema'],
    ['a name that is no name of a tool', { messages, tools: [{ ...WEATHER, name: 'a b' }] }, 'tools[0].name'],
    ['a tool with an unknown field', { messages, tools: [{ ...WEATHER, parameters: {} }] }, 'tools[0].parameters'],
    ['two tools of one name', { messages, tools: [WEATHER, WEATHER] }, 'tools'],
    ['a choice that is no tool', { messages, tool_choice: { type: 'tool', name: 'x' } }, 'tool_choice.name'],
    ['an unknown choice', { messages, tool_choice: { type: 'required' } }, 'tool_choice.type'],
    ['a small budget', { messages, thinking: { type: 'enabled', budget_tokens: 100 } }, 'thinking.budget_tokens'],
    ['a budget above the limit', { messages, thinking: { type: 'enabled', budget_tokens: 2048 } }, 'thinking.budget_tokens'],
    ['thoughts of another type', { messages, thinking: { type: 'always' } }, 'thinking.type'],
    ['an unknown effort', { messages, output_config: { effort: 'minimal' } }, 'output_config.effort'],
    ['an unknown format', { messages, output_config: { format: { type: 'yaml' } } }, 'output_config.format.type'],
    ['more metadata', { messages, metadata: { team: 'x' } }, 'metadata.team'],
    ['another tier', { messages, service_tier: 'priority' }, 'service_tier'],
    ['a region', { messages, inference_geo: 'us' }, 'inference_geo'],
    ['more speed', { messages, speed: 'fast' }, 'speed'],
    ['a container', { messages, container: { skills: [{ type: 'anthropic', skill_id: 'pdf' }] } }, 'container'],
    ['MCP servers', { messages, mcp_servers: [{ type: 'url', url: 'https://x', name: 'x' }] }, 'mcp_servers'],
    ['edits of the conversation', { messages, context_management: { edits: [{ type: 'compact_20260112' }] } }, 'context_management'],
    ['2,001 messages', { messages: Array.from({ length: 2001 }, () => messages[0]) }, 'messages'],
  ])('%s', async (_, body, field) => {
    const { status, body: refused } = await ask(body);
    expect(refused).toEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.any(String), details: { error_code: 'validation_error' } },
      request_id: expect.stringMatching(/\S/),
    });
    expect([status, refused.error.message.split(' ')[0]]).toEqual([400, field]);
  });

  it.each(['2023-01-01', '2023-13-01', 'latest', ''])('the version %j', async (version) => {
    const { status, body } = await ask({ messages }, { 'anthropic-version': version });
    expect([status, body.error.type, body.error.message]).toEqual([
      400,
      'invalid_request_error',
      expect.stringContaining('anthropic-version'),
    ]);
  });

  it('a thread with the code at which clients send the whole conversation', async () => {
    const { status, body } = await ask({ messages, thread: { type: 'create' } });
    expect([status, body.error.type, body.error.details.error_code]).toEqual([400, 'invalid_request_error', 'thread_unsupported_request']);
  });

  it('an unknown agent, with 404', async () => {
    const { status, body } = await ask({ model: 'claude-opus-5', messages });
    expect([status, body.error.type, body.error.details.error_code]).toEqual([404, 'not_found_error', 'agent_not_found']);
  });

  it('an agent that is stopped, with 503', async () => {
    await api.post(`/api/agents/${BOB.id}/stop`);
    const { status, body } = await ask({ model: 'Bob', messages });
    await api.post(`/api/agents/${BOB.id}/start`);
    expect([status, body.error.type, body.error.details.error_code]).toEqual([503, 'api_error', 'agent_stopped']);
    expect(body.error.message).toContain('/start');
  });

  it('a conversation of another agent', async () => {
    const { id } = await app.newChannel({ participants: [BOB.id, NOBODY] });
    const { status, body } = await ask({ messages }, { 'X-Conversation-Id': id });
    expect([status, body.error.details.error_code]).toEqual([404, 'channel_not_found']);
  });

  it.each([
    ['GET', MESSAGES],
    ['POST', `${MESSAGES}/batches`],
  ])('what it does not have, in its form: %s %s', async (method, path) => {
    const { status, body } = await api.send(method, path);
    expect([status, body.type, body.error.type]).toEqual([404, 'error', 'not_found_error']);
  });

  it('a body that is no JSON', async () => {
    const { status, body } = await api.send('POST', MESSAGES, '{"a":', { headers: { 'content-type': 'application/json' } });
    expect([status, body.error.type, body.error.details.error_code]).toEqual([400, 'invalid_request_error', 'invalid_json']);
  });
});

describe('what asks for nothing', () => {
  it.each(['2023-06-01', '2026-10-21'])('is accepted with the version %s', async (version) => {
    app.test.model.reply('Fine.');
    const { status, body } = await ask(
      {
        messages: [user([text(unlike('Hello'), { cache_control: { type: 'ephemeral', ttl: '1h' } })])],
        ...{ top_k: null, stop_sequences: [], tools: [], system: '', service_tier: 'standard_only', inference_geo: 'global' },
        ...{
          container: null,
          thread: null,
          mcp_servers: [],
          metadata: { user_id: null },
          cache_control: { type: 'ephemeral' },
          speed: 'standard',
          output_format: null,
        },
        ...{ output_config: { effort: null, format: null }, diagnostics: { previous_message_id: 'msg_1' } },
        context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
      },
      { 'anthropic-version': version, 'anthropic-beta': 'context-management-2025-06-27', 'x-api-key': 'anything' },
    );
    expect([status, body.type]).toEqual([200, 'message']);
  });
});

describe('a credential', () => {
  const ADMIN = 'the-administrator-of-the-tests';
  const limited = contractApp({ API_KEY: ADMIN, RATE_LIMIT: 'off' });
  const body = { model: 'Ada', max_tokens: 10, messages: [{ role: 'user', content: 'Hello' }] };
  const { max_tokens: _, ...counted } = body;
  let token: string;

  beforeAll(async () => {
    const headers = { 'x-api-key': ADMIN };
    token = (await limited.api.post('/api/keys', { name: 'a key', scope: 'write', agents: [BOB.id] }, { headers })).body.data.token;
  });

  it.each([
    [MESSAGES, body],
    [`${MESSAGES}/count_tokens`, counted],
  ])("is needed, and its lack is told in Anthropic's form: %s", async (path, sent) => {
    for (const headers of [undefined, { 'x-api-key': 'wrong' }]) {
      const answer = await limited.api.post(path, sent, { headers });
      expect([answer.status, answer.body.type, answer.body.error.type]).toEqual([401, 'error', 'authentication_error']);
    }
  });

  it.each(['x-api-key', 'authorization'])('may be sent as %s', async (name) => {
    limited.test.model.reply('Hello.');
    const headers = { [name]: name === 'authorization' ? `Bearer ${ADMIN}` : ADMIN };
    expect((await limited.api.post(MESSAGES, body, { headers })).status).toBe(200);
  });

  it('for some agents reports others like unknown ones', async () => {
    const headers = { 'x-api-key': token };
    for (const model of ['Ada', ADA.id, NOBODY]) {
      const answer = await limited.api.post(MESSAGES, { ...body, model }, { headers });
      expect([answer.status, answer.body.error.message]).toEqual([404, expect.stringContaining(`There is no model "${model}".`)]);
    }
    limited.test.model.reply('Hello.');
    expect((await limited.api.post(MESSAGES, { ...body, model: 'Bob' }, { headers })).status).toBe(200);
  });
});

describe('PROTOCOLS without anthropic', () => {
  const other = contractApp({ PROTOCOLS: 'openai' });

  it.each([MESSAGES, `${MESSAGES}/count_tokens`])('makes 404 of POST %s, in its form', async (path) => {
    const answer = await other.api.post(path, {}, { headers: { 'anthropic-version': 'wrong' } });
    expect([answer.status, answer.body.error.type]).toEqual([404, 'not_found_error']);
    expect(answer.body.error.message).toContain('PROTOCOLS');
  });
});
