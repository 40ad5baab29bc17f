// Traces of one application: where they begin, what they leave out, and how they are turned off.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { currentTrace } from '../../src/core/context/request-context.js';
import { Tracer } from '../../src/core/telemetry/index.js';
import { ADA } from '../support/create-test-app.js';
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from '../support/otlp-receiver.js';
import { SocketApp, USER } from '../support/socket-app.js';

const PARENT = '00f067aa0ba902b7';
let traces = 0;
const newTrace = (): string => (++traces).toString(16).padStart(32, 'e');
const headerOf = (trace: string): string => `00-${trace}-${PARENT}-01`;

let collector: OtlpReceiver;
let app: SocketApp;

beforeAll(async () => {
  collector = await startOtlpReceiver();
});
afterAll(() => collector.close());
beforeEach(() => {
  app = new SocketApp();
});
afterEach(() => app.close());

const TOOL = {
  'tool.mjs': `export default { name: 't', actions: [{ name: 'ADD', description: 'Adds.', async handler() { return { text: 'the sum' } } }] }`,
};

const start = (env: Record<string, string> = {}, plugins: Record<string, string> = {}): Promise<void> =>
  app.start({
    plugins,
    env: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.endpoint}/v1/traces`, OTEL_BSP_SCHEDULE_DELAY: '10', ...env },
  });

async function say(content: string, traceparent: string): Promise<void> {
  const { sessionId } = await app.createSession();
  const path = `/api/messaging/sessions/${sessionId}/messages`;
  const { status } = await app.api.post(path, { content, transport: 'http' }, { headers: { traceparent } });
  expect(status).toBe(201);
}

const find = (trace: string, name: string): ReceivedSpan | undefined =>
  collector.spans.find((span) => span.traceId === trace && span.name === name);
const ended = (trace: string, name: string): Promise<unknown> => collector.until((span) => span.traceId === trace && span.name === name);

describe('a trace', () => {
  it('begins with a socket event, in the trace of the event or of the handshake', async () => {
    await start();
    const [handshake, event] = [newTrace(), newTrace()];
    const { channelId } = await app.createSession();
    app.test.model.reply('One.').reply('Two.');
    const client = await app.connect({ entityId: USER, traceparent: headerOf(handshake) });
    await client.ask('join', { channelId });
    await client.ask('message', { type: 2, payload: { channelId, message: 'Hello', senderId: USER } });
    await client.ask('2', { channelId, message: 'Hello', senderId: USER, traceparent: headerOf(event) });
    for (const [trace, name] of [
      [handshake, 'socket message'],
      [event, 'socket 2'],
    ] as const) {
      await ended(trace, 'invoke_agent Ada');
      await ended(trace, name);
      expect(find(trace, name)).toMatchObject({ kind: 2, parentSpanId: PARENT });
      expect(find(trace, 'invoke_agent Ada')).toMatchObject({ parentSpanId: find(trace, name)?.spanId });
    }
  });

  it('contains prompts, replies, and the arguments and results of tools only when enabled', async () => {
    await start({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' }, TOOL);
    const trace = newTrace();
    app.test.model.calls([{ id: 'call', name: 'ADD', input: { of: 'arguments' } }]).reply('What the model said.');
    await say('What the user said.', headerOf(trace));
    await ended(trace, 'invoke_agent Ada');
    expect(find(trace, 'execute_tool ADD')?.attributes).toMatchObject({
      'gen_ai.tool.call.arguments': '{"of":"arguments"}',
      'gen_ai.tool.call.result': expect.stringContaining('the sum'),
    });
    const chats = collector.spans.filter((span) => span.traceId === trace && span.name === 'chat scripted');
    const [first, last] = chats.map(({ attributes }) => attributes);
    const texts = (value: unknown): unknown => JSON.parse(value as string);
    expect(texts(first!['gen_ai.input.messages'])).toEqual([{ role: 'user', parts: [{ type: 'text', content: 'What the user said.' }] }]);
    expect(texts(last!['gen_ai.output.messages'])).toEqual([
      { role: 'assistant', parts: [{ type: 'text', content: 'What the model said.' }], finish_reason: 'stop' },
    ]);
    expect(first!['gen_ai.system_instructions']).toContain('Answer shortly.');
  });

  it('is not started for probes', async () => {
    await start();
    const trace = newTrace();
    for (const path of ['/livez', '/api/agents']) await fetch(app.test.url + path, { headers: { traceparent: headerOf(trace) } });
    await ended(trace, 'GET /api/agents');
    expect(collector.spans.filter(({ traceId }) => traceId === trace)).toHaveLength(1);
  });

  it('marks failed requests, and names unknown paths by their method only', async () => {
    await start();
    const trace = newTrace();
    await fetch(`${app.test.url}/api/no-such-path`, { headers: { traceparent: headerOf(trace) } });
    await ended(trace, 'GET');
    expect(find(trace, 'GET')).toMatchObject({ status: { code: 0 }, attributes: { 'http.response.status_code': 404 } });
    expect(find(trace, 'GET')?.attributes).not.toHaveProperty('http.route');
  });
});

describe('the trace of a caller', () => {
  it('is ignored with OTEL_PROPAGATORS=none', async () => {
    await start({ OTEL_PROPAGATORS: 'none' });
    const trace = newTrace();
    app.test.model.reply('Hello.');
    await say('Hello', headerOf(trace));
    const matches = ({ name, parentSpanId }: ReceivedSpan): boolean =>
      name.startsWith('POST /api/messaging/sessions/:') && parentSpanId === undefined;
    await collector.until(matches);
    expect(collector.spans.filter(({ traceId }) => traceId === trace)).toEqual([]);
  });

  it.each<Record<string, string>>([{ OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }])(
    'leaves nothing behind with %j',
    async (env) => {
      await start(env);
      app.test.model.replyWith(() => `in ${currentTrace()?.traceId ?? 'no trace'}`);
      const trace = newTrace();
      await say('Hello', headerOf(trace));
      expect(app.test.app.get(Tracer).enabled).toBe(false);
      const { body } = await app.api.get(`/api/agents/${ADA.id}/runs`);
      expect(JSON.stringify(body)).not.toContain(trace);
      expect(collector.spans.filter(({ traceId }) => traceId === trace)).toEqual([]);
    },
  );
});
