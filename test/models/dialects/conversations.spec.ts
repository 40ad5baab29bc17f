// What people read, what is stored, and what the next prompt holds, for each service's answers: the whole server, over real connections.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ModelRegistry } from '../../../src/providers/models/index.js';
import { ApiClient, type ApiResponse } from '../../support/api-client.js';
import { ADA, createTestApp, type TestApp } from '../../support/create-test-app.js';
import { startModelServer, type ModelServer } from '../../support/model-server.mjs';
import { Random, seedFrom } from '../../support/random.js';
import { allEvents, type ServerEvent } from '../../support/sse-client.js';
import { DELIVERIES } from './deliveries.js';
import { SERVICES } from './services/index.js';
import { WEATHER, type DialectCase } from './wire.js';

const SESSIONS = '/api/messaging/sessions';
const AFTERWARDS = 'It was a pleasure.';
const PLUGIN = `module.exports = { name: 'weather', actions: [{
  ...${JSON.stringify(WEATHER)}, handler: async () => ({ success: true, text: 'sunny' }) }] };`;

interface Outcome {
  text: string;
  reason: string;
  failed: boolean;
  asksTwice: boolean;
}

/** The text that the chunks of an answer leave. */
function streamed(events: readonly ServerEvent[]): string {
  return events
    .filter(({ event }) => event === 'chunk')
    .reduce((text, { data }) => (data.reset === true ? data.text : text + data.text), '');
}

describe.each(['openai', 'anthropic', 'ollama'] as const)('the provider %s', (provider) => {
  const random = new Random(seedFrom('DELIVERY_SEED'));
  const services = SERVICES.filter((service) => service.provider === provider);
  let server: ModelServer;
  let test: TestApp;
  const api = new ApiClient(() => test.url);
  const get = async (path: string): Promise<ApiResponse['body']> => (await api.get(path)).body.data;

  beforeAll(async () => {
    server = await startModelServer();
    test = await createTestApp({
      env: {
        MODEL_PROVIDER: provider,
        MODEL_RETRIES: '0',
        OPENAI_BASE_URL: server.baseUrl,
        ANTHROPIC_BASE_URL: server.baseUrl,
        OLLAMA_BASE_URL: server.baseUrl,
        ...{ OPENAI_API_KEY: 'sk-0123456789', ANTHROPIC_API_KEY: 'sk-0123456789', RATE_LIMIT: 'off' },
      },
      plugins: {
        'weather/index.cjs': PLUGIN,
        'weather/package.json': JSON.stringify({ name: 'weather', version: '1.0.0', main: 'index.cjs' }),
      },
    });
    Reflect.deleteProperty(test.app.get(ModelRegistry), 'chat');
  });
  afterAll(async () => {
    await test.close();
    await server.close();
  });

  async function say(sessionId: string, content: string): Promise<ServerEvent[]> {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ content, transport: 'sse' }) };
    return allEvents(await fetch(`${test.url}${SESSIONS}/${sessionId}/messages`, init));
  }

  /** What an answer becomes in the end: after its calls, after a second try, or as it is. */
  function outcome({ reads, calls, reason = 'stop', refusal, fault }: DialectCase): Outcome {
    const [text, once] = [reads.trim(), { asksTwice: false, failed: false }];
    if (fault !== undefined) return { ...once, text, reason: 'error', failed: true };
    if (calls !== undefined) return { ...once, text: 'Sunny.', reason: 'stop', asksTwice: true };
    if (text !== '') return { ...once, text, reason };
    const isSilent = reason === 'stop' && refusal === undefined;
    return isSilent ? { ...once, text: 'Sunny.', reason, asksTwice: true } : { ...once, text, reason, failed: true };
  }

  describe.each(services.map((service) => [service.name, service] as const))('%s', (_name, { cases }) => {
    it.each(cases.map((answer) => [answer.quirk, answer] as const))('%s', async (_quirk, answer) => {
      const { body, type, status, thinks } = answer;
      const pieces = [...random.pick(DELIVERIES).pieces(random, Buffer.byteLength(body))].map(({ bytes }) => bytes);
      const expected = outcome(answer);
      const { sessionId } = (await api.post(SESSIONS, { agentId: ADA.id, userId: '11111111-1111-1111-1111-111111111111' })).body.data;
      server.next({ kind: 'wire', body, type, status, pieces });
      if (expected.asksTwice) server.next({ kind: 'reply', text: 'Sunny.' });
      const events = await say(sessionId, 'How is the weather in Lisbon?');
      expect(streamed(events).trim()).toBe(expected.text);
      expect(events.at(-1)?.event).toBe(expected.failed ? 'error' : 'done');
      if (answer.fields !== undefined && answer.calls !== undefined) {
        const returned = JSON.stringify(server.requests.at(-1)?.body['messages']);
        for (const field of Object.values(answer.fields).flat()) expect(returned).toContain(JSON.stringify(field).slice(1, -1));
      }

      const { messages } = await get(`${SESSIONS}/${sessionId}/messages`);
      const [reply] = messages.filter(({ isAgent }: ApiResponse['body']) => isAgent);
      expect(reply?.content ?? '').toBe(expected.text);
      if (reply) expect(reply.metadata.finishReason).toBe(expected.reason);

      const { runs } = await get(`/api/agents/${ADA.id}/runs?limit=1`);
      expect(runs[0].status).toBe(expected.failed ? 'error' : 'completed');
      const { events: steps } = await get(`/api/agents/${ADA.id}/runs/${runs[0].runId}`);
      const thoughts = steps.flatMap(({ type: kind, data }: ApiResponse['body']) => (kind === 'MODEL_USED' ? (data.reasoning ?? '') : ''));
      if (thinks !== undefined && !expected.failed) expect(thoughts).toContain(thinks);

      server.next({ kind: 'reply', text: AFTERWARDS });
      expect(streamed(await say(sessionId, 'Thank you.'))).toBe(AFTERWARDS);
      const next = JSON.stringify(server.requests.at(-1)?.body['messages']);
      if (expected.text !== '') expect(next).toContain(JSON.stringify(expected.text).slice(1, -1));
      if (thinks !== undefined) expect(next).not.toContain(JSON.stringify(thinks).slice(1, -1));
    });
  });
});
