// What an operator reads when a service refuses, by what services really send.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import '../../app.module.js';
import { startModelServer, type ModelBehaviour, type ModelServer } from '../../../test/support/model-server.mjs';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { loadConfig } from '../../core/config/index.js';
import { Outbound } from '../outbound/index.js';
import { ModelError } from '../sdk/index.js';
import { ModelRegistry, type ModelChoice } from './model-registry.js';

const KEY = 'sk-secret-of-the-operator';
const REQUEST = {
  messages: [{ role: 'user', content: 'Hi' }],
  grounding: { agentName: 'Ada', facts: [], examples: [], memories: [] },
} as const;

type Case = [name: string, behaviour: ModelBehaviour, reason: string, message: RegExp, details: RegExp];
/** The first event of an answer, which has no word yet. */
const BEGINNING = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] })}\n\n`;
const status = (code: number, body: object): ModelBehaviour => ({ kind: 'status', status: code, body });
const openai = (code: number, message: string, more: object): ModelBehaviour => status(code, { error: { message, ...more } });

const CASES: Record<'openai' | 'anthropic' | 'ollama', Case[]> = {
  openai: [
    [
      'a wrong key',
      openai(401, `Incorrect API key provided: ${KEY}.`, { type: 'invalid_request_error', code: 'invalid_api_key' }),
      ...(['key', /refused the API key \(status 401\)/, /^Set OPENAI_API_KEY to a valid key\.$/] as const),
    ],
    ['a key without the right', openai(403, 'No access.', {}), 'key', /denied access \(status 403\)/, /OPENAI_API_KEY.*OPENAI_MODEL/],
    [
      'no quota',
      openai(429, 'You exceeded your current quota.', { type: 'insufficient_quota', code: 'insufficient_quota' }),
      ...(['quota', /has no quota left \(status 429\)/, /^Add credit to the account of OPENAI_API_KEY/] as const),
    ],
    [
      'a limit per minute that is called a quota',
      openai(429, 'You exceeded your current quota.', { code: 429 }),
      ...(['rate', /no more requests for the moment \(status 429\)/, /Try again in a minute/] as const),
    ],
    [
      'an unknown model',
      openai(404, 'The model `gpt-4o-mini` does not exist', { type: 'invalid_request_error', code: 'model_not_found' }),
      ...(['model', /\(gpt-4o-mini\) does not exist at the service/, /^Set OPENAI_MODEL to a model of the service\.$/] as const),
    ],
    ['an address without an API', status(404, { detail: 'Not Found' }), 'model', /was not found/, /OPENAI_MODEL.*OPENAI_BASE_URL.*\/v1/],
    [
      'a conversation that is too long',
      openai(400, "This model's maximum context length is 8192 tokens.", { code: 'context_length_exceeded' }),
      ...(['context', /cannot read a conversation of this length/, /CONVERSATION_TOKENS.*OPENAI_MODEL/] as const),
    ],
    ['a request it does not like', openai(400, 'Bad temperature.', {}), 'request', /rejected the request with status 400/, /The log has/],
    ['a fault', openai(500, 'The server had an error.', {}), 'service', /responded with status 500/, /The fault is in the service/],
    ['a page instead of an answer', { kind: 'page' }, 'response', /sent text\/html instead of a response\.$/, /OPENAI_BASE_URL.*\/v1/],
    ['malformed JSON', { kind: 'broken' }, 'response', /sent application\/json instead of a response\.$/, /OPENAI_BASE_URL.*\/v1/],
    ['an event that is no JSON', { kind: 'garbage' }, 'response', /sent an invalid response\.$/, /OPENAI_BASE_URL.*\/v1/],
    [
      'a connection that breaks',
      { kind: 'wire', body: BEGINNING, cut: true },
      'service',
      /broke off before the response was/,
      /in the service/,
    ],
    ['no end', { kind: 'unfinished' }, 'response', /broke off before the response was complete/, /OPENAI_BASE_URL/],
    ['an error within the stream', { kind: 'fault' }, 'service', /responded with status 500/, /./],
  ],
  anthropic: [
    [
      'a wrong key',
      status(401, { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } }),
      ...(['key', /refused the API key/, /ANTHROPIC_API_KEY/] as const),
    ],
    [
      'no credit',
      status(400, { type: 'error', error: { type: 'invalid_request_error', message: 'Your credit balance is too low' } }),
      ...(['quota', /has no quota left/, /ANTHROPIC_API_KEY/] as const),
    ],
    [
      'an unknown model',
      status(404, { type: 'error', error: { type: 'not_found_error', message: 'model: claude-x' } }),
      ...(['model', /does not exist at the service/, /ANTHROPIC_MODEL/] as const),
    ],
    [
      'a conversation that is too long',
      status(400, { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 300000 tokens' } }),
      ...(['context', /of this length/, /ANTHROPIC_MODEL/] as const),
    ],
    ['a page instead of an answer', { kind: 'page' }, 'response', /sent text\/html instead of a response\.$/, /ANTHROPIC_BASE_URL.*\/v1/],
    ['an event that is no JSON', { kind: 'garbage' }, 'response', /sent an invalid response\.$/, /ANTHROPIC_BASE_URL.*\/v1/],
  ],
  ollama: [
    [
      'a model that was not pulled',
      status(404, { error: "model 'llama3.2' not found" }),
      ...(['model', /does not exist at the service/, /^Run "ollama pull llama3\.2", or set OLLAMA_MODEL/] as const),
    ],
    ['a proxy that wants a key', openai(401, 'Unauthorized', {}), 'key', /requires an API key/, /OLLAMA_BASE_URL/],
  ],
};

describe('model failures', () => {
  let server: ModelServer;
  const clock = new FakeClock();
  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(() => server.close());

  function registry(env: Record<string, string> = {}): ModelRegistry {
    const urls = { OPENAI_BASE_URL: server.baseUrl, ANTHROPIC_BASE_URL: server.baseUrl, OLLAMA_BASE_URL: server.baseUrl };
    const keys = { OPENAI_API_KEY: KEY, ANTHROPIC_API_KEY: KEY };
    const config = loadConfig({ ...urls, ...keys, MODEL_RETRIES: '0', OUTBOUND_ALLOWED_NETWORKS: '127.0.0.1', ...env }, '1.2.3');
    return new ModelRegistry(config, clock, new Outbound(config, clock));
  }

  async function eventsOf(models: ModelRegistry, choice: ModelChoice, signal = new AbortController().signal): Promise<string[]> {
    const types: string[] = [];
    for await (const { type } of models.chat(choice).stream(REQUEST, { signal })) types.push(type);
    return types;
  }

  function failure(...call: Parameters<typeof eventsOf>): Promise<ModelError> {
    return eventsOf(...call).then(
      (types) => Promise.reject(new Error(`it answered: ${types.join()}`)),
      (error: unknown) => error as ModelError,
    );
  }

  describe.each(Object.entries(CASES))('%s', (provider, cases) => {
    it.each(cases)('%s', async (_name, behaviour, reason, message, details) => {
      server.next(behaviour);
      const models = registry();
      const error = await failure(models, { provider });
      expect(error).toBeInstanceOf(ModelError);
      expect(error).toMatchObject({ reason, message: expect.stringMatching(message), details: expect.stringMatching(details) });
      expect(error.message + error.details).not.toContain(KEY);
      expect(models.reports()).toEqual([
        {
          ...{ kind: 'chat', provider, model: error.message.split(/[()]/)[1], ofAgent: false, lastSuccessAt: null },
          failing: !['context', 'request'].includes(reason),
          lastFailure: { at: clock.now(), code: error.code, reason, message: error.message, details: error.details },
          notice: null,
        },
      ]);
    });
  });

  it.each([
    ['nothing listens', 'http://127.0.0.1:1/v1', /could not be reached: nothing listens at its address/],
    ['the name is unknown', 'http://nowhere.invalid/v1', /could not be reached: its host name is unknown/],
  ])('report a service where %s', async (_name, address, message) => {
    const error = await failure(registry({ OPENAI_BASE_URL: address }), { provider: 'openai' });
    expect(error).toMatchObject({ reason: 'address', code: 'MODEL_UNAVAILABLE', message: expect.stringMatching(message) });
    expect(error.details).toBe('Start the service, or correct OPENAI_BASE_URL.');
    expect(error.message + error.details).not.toContain(address);
  });

  it('report a service that does not respond in time', async () => {
    server.next({ kind: 'hang' });
    const failed = failure(registry({ MODEL_TIMEOUT_MS: '1000' }), { provider: 'openai' });
    await server.received(server.requests.length + 1);
    clock.advance(1000);
    expect(await failed).toMatchObject({ reason: 'timeout', details: expect.stringContaining('OPENAI_BASE_URL') });
  });

  it("advise about the agent's settings when the agent's own key fails", async () => {
    server.next(openai(401, 'no', {}));
    const models = registry();
    const error = await failure(models, { services: { openai: { key: 'sk-of-the-agent-0123' } }, model: 'gpt-9' });
    expect(error.details).toBe("Set OPENAI_API_KEY in the agent's settings to a valid key.");
    expect([models.failing, models.reports()[0]?.ofAgent]).toEqual([false, true]);
  });

  it('are not retried for a model without quota', async () => {
    const before = server.requests.length;
    server.next(openai(429, 'none left', { code: 'insufficient_quota' }));
    await failure(registry({ MODEL_RETRIES: '3' }), { provider: 'openai' });
    expect(server.requests.length).toBe(before + 1);
  });

  it.each(['page', 'broken', 'garbage'] as const)('are not retried for an address without a model: %s', async (kind) => {
    for (const provider of ['openai', 'anthropic']) {
      const before = server.requests.length;
      server.next({ kind });
      await failure(registry({ MODEL_RETRIES: '3' }), { provider });
      expect(server.requests.length).toBe(before + 1);
    }
  });

  it('are retried when a connection breaks before the first token', async () => {
    server.next({ kind: 'wire', body: BEGINNING, cut: true }, { kind: 'reply', text: 'whole' });
    const before = server.requests.length;
    expect(await eventsOf(registry({ MODEL_RETRIES: '1' }), { provider: 'openai' })).toEqual(['delta', 'finish']);
    expect(server.requests.length).toBe(before + 2);
  });

  it('ignore a caller that disconnects', async () => {
    const models = registry();
    server.next({ kind: 'hang' });
    const gone = new AbortController();
    const failed = failure(models, { provider: 'openai' }, gone.signal);
    await server.received(server.requests.length + 1);
    gone.abort(new Error('gone'));
    expect((await failed).message).toBe('gone');
    expect(models.reports()).toEqual([]);
  });

  it("last until the model's next reply", async () => {
    const models = registry();
    server.next(openai(401, 'no', {}));
    await failure(models, { provider: 'openai' });
    expect(models.failing).toBe(true);
    expect((await eventsOf(models, { provider: 'openai' })).at(-1)).toBe('finish');
    expect(models.failing).toBe(false);
    expect(models.reports()).toMatchObject([{ failing: false, lastSuccessAt: clock.now(), lastFailure: null }]);
  });
});
