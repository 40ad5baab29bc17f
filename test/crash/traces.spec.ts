// Traces of the built server, as a collector gets them over OTLP.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sign } from '@octokit/webhooks-methods';
import { idFromText } from '../../src/core/ids/index.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { startModelServer, type ModelServer } from '../support/model-server.mjs';
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from '../support/otlp-receiver.js';
import { killAll, ServerProcess, type ServerEnv } from './support/server-process.js';

const USER = '11111111-1111-1111-1111-111111111111';
const AGENT = { id: idFromText('Tess'), name: 'Tess', bio: 'An agent of the tests.' };
const SECRET = 'a secret of the tests';
const PARENT = 'b7ad6b7169203331';
const [SERVER, CLIENT] = [2, 3];

/** LOOK_UP asks a service. The webhook fails at its first attempt, and writes a message at the next. */
const PLUGIN = (service: string): string => `
  export default {
    name: 'fixture',
    config: { SECRET_OF_TESTS: { secret: true } },
    actions: [{
      name: 'LOOK_UP',
      description: 'Looks something up.',
      async handler() { return { text: await (await fetch(${JSON.stringify(`${service}/look-up?key=of-the-user`)})).text() } },
    }],
    routes: [{
      type: 'POST',
      path: '/hook',
      webhook: { verify: 'github', secret: 'SECRET_OF_TESTS', mode: 'ack', backoffMs: 10 },
      async handler(request) {
        await (await fetch(${JSON.stringify(`${service}/delivery`)})).text();
        if (request.attempt === 1) throw new Error('told to fail');
      },
    }],
  };`;

let folder: string;
let model: ModelServer;
let service: Server;
let collector: OtlpReceiver;
let env: ServerEnv;
/** Requests to the service, by path. */
const asked: { path: string; headers: IncomingHttpHeaders }[] = [];
let number = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-traces-'));
  model = await startModelServer();
  collector = await startOtlpReceiver();
  service = createServer((request, response) => {
    asked.push({ path: request.url ?? '', headers: request.headers });
    response.end('what was looked up');
  });
  await once(service.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  for (const name of ['characters', 'plugins']) await mkdir(join(folder, name));
  await writeFile(join(folder, 'characters', 'tess.json'), JSON.stringify(AGENT));
  await writeFile(join(folder, 'plugins', 'fixture.mjs'), PLUGIN(address));
  env = {
    DATA_DIR: join(folder, 'data'),
    CHARACTERS_DIR: join(folder, 'characters'),
    PLUGINS_DIR: join(folder, 'plugins'),
    OPENAI_BASE_URL: model.baseUrl,
    MODEL_RETRIES: '2',
    SECRET_OF_TESTS: SECRET,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=one%20tenant',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=tests',
    OTEL_BSP_SCHEDULE_DELAY: '20',
  };
});
afterAll(async () => {
  await killAll();
  await Promise.all([model.close(), collector.close()]);
  service.closeAllConnections();
  service.close();
  await rm(folder, { recursive: true, force: true });
});

/** The trace ids of the tests, as an instrumented client makes them. */
const newTrace = (): string => (++number).toString(16).padStart(32, 'c');
const traceparent = (trace: string, flags = '01'): string => `00-${trace}-${PARENT}-${flags}`;

/** Sends a message, and waits for the answer unless it is sent over `websocket`. */
async function say(server: ServerProcess, content: string, headers: Record<string, string>, transport = 'http'): Promise<ApiResponse> {
  const api = new ApiClient(() => server.url);
  const { body } = await api.post('/api/messaging/sessions', { agentId: AGENT.id, userId: USER });
  return api.post(`/api/messaging/sessions/${body.data.sessionId}/messages`, { content, transport }, { headers });
}

const ofTrace = (trace: string): ReceivedSpan[] => collector.spans.filter(({ traceId }) => traceId === trace);
const named = (trace: string, name: string | RegExp): ReceivedSpan[] =>
  ofTrace(trace).filter((span) => span.name.match(name)?.[0] === span.name);
const ended = (trace: string, name: string, count = 1): Promise<ReceivedSpan[]> =>
  collector.until((span) => span.traceId === trace && span.name === name, count);

describe('a server with an OTLP endpoint', () => {
  let server: ServerProcess;

  beforeAll(async () => {
    server = await ServerProcess.start(env);
  });

  it('sends one trace from the request through the turn to model, tool, service and reply', async () => {
    const trace = newTrace();
    model.next(
      { kind: 'status', status: 503 },
      { kind: 'calls', calls: [{ id: 'call-1', name: 'LOOK_UP', input: {} }] },
      { kind: 'reply', text: 'Found it.' },
    );
    const before = model.requests.length;
    const { status } = await say(server, 'Look it up.', { traceparent: traceparent(trace), tracestate: 'vendor=value' });
    expect(status).toBe(201);
    await ended(trace, 'POST /api/messaging/sessions/:sessionId/messages');
    await ended(trace, 'invoke_agent Tess');

    const [request] = named(trace, 'POST /api/messaging/sessions/:sessionId/messages');
    expect(request).toMatchObject({
      kind: SERVER,
      parentSpanId: PARENT,
      traceState: 'vendor=value',
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/messaging/sessions/:sessionId/messages',
        'http.response.status_code': 201,
        'url.scheme': 'http',
        'parley.request.id': expect.any(String),
      },
      resource: { 'service.name': 'parley', 'deployment.environment.name': 'tests', 'service.instance.id': expect.any(String) },
    });
    const [turn] = named(trace, 'invoke_agent Tess');
    expect(turn).toMatchObject({
      parentSpanId: request!.spanId,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.provider.name': 'openai',
        'gen_ai.agent.id': AGENT.id,
        'gen_ai.agent.name': 'Tess',
        'gen_ai.conversation.id': expect.any(String),
        'gen_ai.usage.input_tokens': expect.any(Number),
        'parley.turn.attempt': 1,
        'parley.turn.outcome': 'completed',
      },
    });
    for (const name of ['turn.context', 'turn.offer', 'turn.reply', 'execute_tool LOOK_UP']) {
      expect({ name, parents: named(trace, name).map(({ parentSpanId }) => parentSpanId) }).toEqual({ name, parents: [turn!.spanId] });
    }
    const [context] = named(trace, 'turn.context');
    expect(named(trace, 'turn.recall').map(({ parentSpanId }) => parentSpanId)).toEqual([context!.spanId]);
    const chats = named(trace, /^chat .*/);
    expect(
      chats.map(({ kind, parentSpanId, attributes }) => ({ kind, parentSpanId, reasons: attributes['gen_ai.response.finish_reasons'] })),
    ).toEqual(['tool-calls', 'stop'].map((reason) => ({ kind: CLIENT, parentSpanId: turn!.spanId, reasons: [reason] })));
    expect(chats[1]!.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': expect.any(String),
      'gen_ai.response.model': expect.any(String),
      'gen_ai.usage.output_tokens': expect.any(Number),
    });
    const [tool] = named(trace, 'execute_tool LOOK_UP');
    expect(tool!.attributes).toMatchObject({ 'gen_ai.tool.name': 'LOOK_UP', 'gen_ai.tool.call.id': 'call-1' });
    // Each request to the model is a span, the one that failed included, and so is the one to the service.
    const outgoing = named(trace, /^(GET|POST)$/);
    expect(outgoing.map(({ parentSpanId, attributes }) => [parentSpanId, attributes['http.response.status_code']])).toEqual([
      [chats[0]!.spanId, 503],
      [chats[0]!.spanId, 200],
      [tool!.spanId, 200],
      [chats[1]!.spanId, 200],
    ]);
    const sent = [...model.requests.slice(before).map(({ headers }) => headers), asked.at(-1)!.headers];
    const expected = outgoing.map(({ spanId }) => `00-${trace}-${spanId}-01`);
    expect(new Set(sent.map((headers) => headers['traceparent']))).toEqual(new Set(expected));
    expect(sent.map((headers) => headers['tracestate'])).toEqual(sent.map(() => 'vendor=value'));
    // What users and models say stays here, and so do the secrets in addresses.
    const text = JSON.stringify(ofTrace(trace));
    for (const private_ of ['Look it up', 'Found it', 'looked up', 'of-the-user', 'look-up']) expect(text).not.toContain(private_);
    expect(collector.requests.at(-1)).toMatchObject({ 'x-tenant': 'one tenant', 'content-type': 'application/json' });
  });

  it('keeps all attempts of a delivery in the trace of its webhook call', async () => {
    const trace = newTrace();
    const body = '{"of":"tests"}';
    const headers = {
      ...{ traceparent: traceparent(trace), 'content-type': 'application/json', 'x-github-delivery': 'one' },
      'x-hub-signature-256': await sign(SECRET, body),
    };
    expect((await new ApiClient(() => server.url).send('POST', '/hook', body, { headers })).status).toBe(202);
    await ended(trace, 'webhook POST /hook', 2);
    await ended(trace, 'POST /hook');
    const [call] = named(trace, 'POST /hook');
    expect(call).toMatchObject({ kind: SERVER, parentSpanId: PARENT, attributes: { 'http.route': '/hook', 'parley.plugin': 'fixture' } });
    const attempts = named(trace, 'webhook POST /hook');
    expect(
      attempts.map(({ parentSpanId, attributes }) => [parentSpanId, attributes['parley.delivery.attempt'], attributes['error.type']]),
    ).toEqual([
      [call!.spanId, 1, 'Error'],
      [call!.spanId, 2, undefined],
    ]);
    expect(named(trace, 'GET').map(({ parentSpanId }) => parentSpanId)).toEqual(attempts.map(({ spanId }) => spanId));
  });

  it('neither exports nor replaces a trace that its caller does not sample', async () => {
    const trace = newTrace();
    await say(server, 'Hello?', { traceparent: traceparent(trace, '00') });
    expect(model.requests.at(-1)?.headers['traceparent']).toBe(traceparent(trace, '00'));
    const after = newTrace();
    await say(server, 'Hello!', { traceparent: traceparent(after) });
    await ended(after, 'invoke_agent Tess');
    expect(ofTrace(trace)).toEqual([]);
  });

  it('writes the trace to the log', async () => {
    const trace = newTrace();
    model.next({ kind: 'status', status: 400 });
    await say(server, 'Fail.', { traceparent: traceparent(trace) });
    await ended(trace, 'invoke_agent Tess');
    const [turn] = named(trace, 'invoke_agent Tess');
    expect(turn).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': 'MODEL_REJECTED', 'parley.turn.outcome': 'failed' } });
    await server.printed(/a turn failed.*\n/);
    const line = server.stdout.split('\n').find((each) => each.includes('a turn failed')) ?? '';
    expect(JSON.parse(line)).toMatchObject({ traceId: trace, spanId: turn!.spanId, code: 'MODEL_REJECTED' });
  });

  it('keeps running when the collector fails, and logs the failure and the recovery once each', async () => {
    const { endpoint } = collector;
    collector.status = 400;
    for (const text of ['One.', 'Two.', 'Three.']) expect((await say(server, text, {})).status).toBe(201);
    await server.printed(/the collector does not accept traces/);
    const count = collector.requests.length;
    await say(server, 'Four.', {});
    while (collector.requests.length < count + 2) await say(server, 'Five.', {});
    collector.status = 200;
    const trace = newTrace();
    await say(server, 'Six.', { traceparent: traceparent(trace) });
    await ended(trace, 'invoke_agent Tess');
    await server.printed(/the collector accepts traces again/);
    expect(server.stdout.split('\n').filter((line) => line.includes('the collector does not accept traces'))).toEqual([
      expect.stringContaining(endpoint),
    ]);
  });

  it("continues a turn's trace after kill -9, and sends the rest when it stops", async () => {
    const trace = newTrace();
    model.next({ kind: 'hang', after: 1 });
    const count = model.requests.length;
    await say(server, 'Are you there?', { traceparent: traceparent(trace), tracestate: 'vendor=value' }, 'websocket');
    await model.received(count + 1);
    await ended(trace, 'POST /api/messaging/sessions/:sessionId/messages');
    await server.kill();
    expect(named(trace, 'invoke_agent Tess')).toEqual([]);

    server = await ServerProcess.start({ ...env, OTEL_BSP_SCHEDULE_DELAY: '600000' });
    await model.received(count + 2);
    expect(await server.stop()).toMatchObject({ code: 0 });
    const [request] = named(trace, 'POST /api/messaging/sessions/:sessionId/messages');
    expect(named(trace, 'invoke_agent Tess')).toMatchObject([
      {
        parentSpanId: request!.spanId,
        traceState: 'vendor=value',
        attributes: { 'parley.turn.attempt': 2, 'parley.turn.outcome': 'completed' },
      },
    ]);
  });
});

it('a server with an OTLP endpoint and without the OpenTelemetry packages names the packages to install', async () => {
  const hooks = `export const resolve = (name, context, next) => {
    if (name.startsWith('@opentelemetry/')) throw Object.assign(new Error('Cannot find ' + name), { code: 'ERR_MODULE_NOT_FOUND' });
    return next(name, context);
  };`;
  const without = join(folder, 'without.mjs');
  const source = JSON.stringify(`data:text/javascript,${encodeURIComponent(hooks)}`);
  await writeFile(without, `import { register } from 'node:module'; register(${source});`);
  const { code, stderr } = await ServerProcess.fail({ ...env, NODE_OPTIONS: `--import ${without}` });
  expect(code).toBe(1);
  expect(stderr).toMatch(/npm install @opentelemetry\/api @opentelemetry\/sdk-trace-base/);
});
