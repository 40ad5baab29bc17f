import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import { definePlugin, sameSecret, type Action, type Provider, type WebhookVendor } from './index.js';
import { callRoute, runAction, runEvaluator, runProvider, signRequest, type RouteTestResult } from './testing.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const DISCORD_KEY = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
const SECRET = 'a secret of the tests';
const NOW = Date.now();

let release: () => void = () => undefined;

const plugin = definePlugin({
  name: 'kit',
  config: { GREETING: 'Hello' },
  routes: [
    { type: 'POST', path: '/ack', webhook: { verify: 'github', secret: 'S', mode: 'ack' }, handler: () => undefined },
    {
      type: 'POST',
      path: '/ack/fails',
      webhook: { verify: 'github', secret: 'S', mode: 'ack' },
      handler: (_, answer) => void answer.status(422),
    },
    {
      type: 'POST',
      path: '/ack/hangs',
      timeoutMs: 1,
      webhook: { verify: 'github', secret: 'S', mode: 'ack' },
      handler: () => new Promise(() => undefined),
    },
    {
      type: 'POST',
      path: '/ack/throws',
      webhook: { verify: 'github', secret: 'S', mode: 'ack' },
      handler: () => Promise.reject(new Error('no')),
    },
    { type: 'GET', path: '/silent', timeoutMs: 1, handler: () => undefined },
    {
      type: 'GET',
      path: '/slow-end',
      async handler(_request, response) {
        response.write('begun');
        await new Promise<void>((resolve) => (release = resolve));
        response.end(', ended');
      },
    },
    {
      type: 'POST',
      path: '/own',
      webhook: { verify: ({ headers }) => headers['x-token'] === 'right' },
      handler: (_, response) => response.json({}),
    },
    ...(['github', 'stripe', 'slack', 'discord', 'standard'] as const).map((verify) => ({
      type: 'POST' as const,
      path: `/hooks/${verify}`,
      webhook: { verify, secret: 'S' },
      handler: (request: { body: unknown; deliveryId?: string }, response: { json(data: unknown): unknown }) =>
        response.json({ body: request.body, id: request.deliveryId }),
    })),
  ],
  actions: [
    {
      name: 'GREET',
      description: 'Greets.',
      validate: (_runtime, message) => message.content.text !== 'be quiet',
      async handler(runtime, message, _state, options, callback) {
        if (options?.parameters['who'] === 'nobody') throw new Error('nobody is there');
        const before = options?.actionContext.getPreviousResult('ASK')?.text ?? '';
        await callback?.(`I greet, since ${message.content.text}`);
        await callback?.({ text: ' ' });
        await runtime.sendMessage({ channelId: 'c', text: 'told' });
        return `${runtime.getSetting('GREETING') as string}, ${options?.parameters['who'] as string}${before}`;
      },
    },
    { name: 'CALL', description: 'Asks a service.', handler: (runtime) => ({ text: runtime.getService('rota')?.capabilityDescription }) },
  ],
  providers: [
    { name: 'TEAMS', get: (_runtime, message, state) => ({ text: `teams for ${message.entityId}`, values: state.values }) },
    { name: 'NONE', get: () => undefined },
  ],
  evaluators: [
    {
      name: 'COUNT',
      validate: (_runtime, message) => message.content.text !== '',
      handler(runtime, message, _state, options, _callback, responses) {
        runtime.logger.info(`${message.content.text} -> ${responses?.[0]?.content.text} ${String(options?.['didRespond'])}`);
      },
    },
    { name: 'ALWAYS', alwaysRun: true, handler: () => Promise.reject(new Error('broken')) },
  ],
});

const call = (path: string, method = 'POST'): Promise<RouteTestResult> =>
  callRoute(plugin, { method, path, body: method === 'POST' ? {} : undefined });

describe('callRoute', () => {
  it.each([
    ['/ack', 202, ''],
    ['/ack/fails', 422, ''],
    ['/ack/hangs', 504, { success: false, error: 'No answer within 1 ms' }],
    ['/ack/throws', 500, { success: false, error: 'Internal error' }],
  ])('answers a webhook that is acknowledged first, %s, with status %i', async (path, status, body) => {
    expect(await call(path)).toMatchObject({ status, body });
  });

  it('answers 504 when the handler does not respond, as the server does', async () => {
    expect(await call('/silent', 'GET')).toMatchObject({ status: 504 });
  });

  it('waits for the end of a started response', async () => {
    jest.useFakeTimers();
    const answer = call('/slow-end', 'GET');
    jest.advanceTimersByTime(60_000);
    release();
    expect(await answer).toMatchObject({ status: 200, body: 'begun, ended' });
    jest.useRealTimers();
  });

  it('verifies with the function of a route that needs no secret', async () => {
    expect(await call('/own')).toMatchObject({ status: 401, body: { success: false, error: 'Invalid signature' } });
    expect(await callRoute(plugin, { method: 'POST', path: '/own', headers: { 'X-Token': 'right' } })).toMatchObject({ status: 200 });
  });
});

describe('signRequest', () => {
  const VENDORS: WebhookVendor[] = ['github', 'stripe', 'slack', 'discord', 'standard'];

  it.each(VENDORS)('signs as %s does, for a body that arrives unchanged', async (vendor) => {
    const secret = vendor === 'discord' ? privateKey : vendor === 'standard' ? `whsec_${Buffer.from(SECRET).toString('base64')}` : SECRET;
    const settings = { S: typeof secret === 'string' ? secret : DISCORD_KEY };
    const request = { method: 'POST', path: `/hooks/${vendor}`, body: { text: 'März' } };
    const signed = signRequest(plugin, request, { secret });
    expect(await callRoute(plugin, signed, { settings })).toMatchObject({
      status: 200,
      body: { body: { text: 'März' }, id: expect.any(String) },
    });
    expect(await callRoute(plugin, request, { settings })).toMatchObject({ status: 401, body: { error: 'Invalid signature' } });
    expect(await callRoute(plugin, { ...signed, body: '{"text":"changed"}' }, { settings })).toMatchObject({ status: 401 });
    const old = signRequest(plugin, request, { secret, at: NOW - 3_600_000 });
    expect((await callRoute(plugin, old, { settings })).status).toBe(vendor === 'github' ? 200 : 401);
  });

  it('refuses a route without a signature', () => {
    expect(() => signRequest(plugin, { path: '/silent' }, { secret: SECRET })).toThrow('is no webhook');
    expect(() => signRequest(plugin, { method: 'POST', path: '/own' }, { secret: SECRET })).toThrow('a function of its own');
    expect(() => signRequest(plugin, { path: '/none' }, { secret: SECRET })).toThrow('has no route GET /none');
  });
});

describe('runAction', () => {
  it('calls the handler with arguments, earlier results and a callback', async () => {
    const previous = [{ action: 'ASK', result: { text: '!' } }];
    expect(await runAction(plugin, 'GREET', { text: 'you asked', parameters: { who: 'Ada' }, previous })).toMatchObject({
      offered: true,
      result: { success: true, text: 'Hello, Ada!' },
      said: [{ text: 'I greet, since you asked' }],
      sent: [{ channelId: 'c', text: 'told' }],
    });
  });

  it('calls no handler when validate returns false', async () => {
    const outcome = await runAction(plugin, 'GREET', { text: 'be quiet' });
    expect(outcome).toMatchObject({ offered: false, sent: [] });
    expect(outcome.result).toBeUndefined();
  });

  it('turns an exception into a failed result', async () => {
    const outcome = await runAction(plugin, 'GREET', { parameters: { who: 'nobody' } });
    expect(outcome).toMatchObject({ offered: true, result: { success: false, error: 'nobody is there' }, error: expect.any(Error) });
  });

  it('passes the services of the options', async () => {
    const services = { rota: { capabilityDescription: 'Knows who is on call' } };
    expect((await runAction(plugin, 'CALL', {}, { services })).result).toEqual({ success: true, text: 'Knows who is on call' });
  });

  it('lists the actions of the plugin for an unknown name', async () => {
    await expect(runAction(plugin, 'GRET')).rejects.toThrow('plugin kit has no action GRET: it has GREET, CALL');
  });
});

describe('runProvider and runEvaluator', () => {
  it('return what a provider contributes', async () => {
    const turn = { message: { entityId: 'ada' }, state: { values: { city: 'Bern' } } };
    expect(await runProvider(plugin, 'TEAMS', turn)).toMatchObject({ result: { text: 'teams for ada', values: { city: 'Bern' } } });
    expect((await runProvider(plugin, 'NONE')).result).toBeNull();
  });

  it('run an evaluator after a reply, when its validate allows it', async () => {
    expect(await runEvaluator(plugin, 'COUNT', { text: 'Hi', reply: 'Hello' })).toMatchObject({
      ran: true,
      logs: [{ message: 'Hi -> Hello true' }],
    });
    expect(await runEvaluator(plugin, 'COUNT', { reply: 'Hello' })).toMatchObject({ ran: false, logs: [] });
    expect(await runEvaluator(plugin, 'COUNT', { text: 'Hi' })).toMatchObject({ ran: false });
    expect(await runEvaluator(plugin, 'ALWAYS')).toMatchObject({ ran: true, error: expect.any(Error) });
  });
});

describe('sameSecret', () => {
  it.each([
    ['secret', 'secret', true],
    ['secret', 'Secret', false],
    ['secret', 'secrets', false],
    [undefined, 'secret', false],
    [['secret'], 'secret', false],
    ['', '', false],
    [null, null, false],
    ['secret', null, false],
  ])('of %j and %j is %j', (given, secret, same) => {
    expect(sameSecret(given, secret)).toBe(same);
  });
});

it('a misspelt result of an action or a provider does not compile, and a test sees it as the model does', async () => {
  // @ts-expect-error sucess is success
  const action: Action = { name: 'TYPO', description: 'x', handler: async () => ({ sucess: false }) };
  // @ts-expect-error txt is text
  const provider: Provider = { name: 'TYPO', get: () => ({ txt: 'sunny' }) };
  const misspelt = definePlugin({ name: 'misspelt', actions: [action], providers: [provider] });
  expect((await runAction(misspelt, 'TYPO')).result).toEqual({ success: true });
});
