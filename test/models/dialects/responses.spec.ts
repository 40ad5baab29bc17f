// What the providers make of each service's answers, in whatever pieces they arrive.
import { describe, expect, it } from '@jest/globals';
import type { ChatFinish } from '../../../src/providers/models/index.js';
import { ServiceChatModel } from '../../../src/providers/models/service-chat-model.js';
import { anthropicApi, completionsApi } from '../../../src/providers/models/chat-apis.js';
import type { ModelError } from '../../../src/providers/sdk/index.js';
import { FakeClock } from '../../support/fake-clock.js';
import { seeded } from '../../support/random.js';
import { delivered, DELIVERIES } from './deliveries.js';
import { SERVICES } from './services/index.js';
import { WEATHER, type DialectCase, type DialectService } from './wire.js';

interface Heard {
  text: string;
  thoughts: string;
  calls: { name: string; input: unknown; extra?: unknown }[];
  finish?: ChatFinish;
  fault?: ModelError;
}

const REQUEST = {
  messages: [{ role: 'user', content: 'How is the weather in Lisbon?' }],
  grounding: { agentName: 'Ada', facts: [], examples: [], memories: [] },
  tools: [WEATHER],
} as const;

async function ask({ provider, model }: DialectService, answer: DialectCase, body: ReadableStream): Promise<Heard> {
  const { type = 'text/event-stream', status = 200 } = answer;
  const answered = (): Promise<Response> => Promise.resolve(new Response(body, { status, headers: { 'content-type': type } }));
  const service = { name: provider, baseUrl: 'http://127.0.0.1:9/v1', key: 'sk-0123456789', fetch: answered as typeof fetch };
  const names = { key: 'THE_KEY', address: 'THE_ADDRESS', model: 'THE_MODEL' };
  const target = { provider, modelId: model, retries: 0, timeoutMs: 60_000, clock: new FakeClock(), hint: 'h', secret: service.key, names };
  const chat = new ServiceChatModel(target, provider === 'anthropic' ? anthropicApi(service) : completionsApi(service));
  const heard: Heard = { text: '', thoughts: '', calls: [] };
  try {
    for await (const event of chat.stream(REQUEST, { signal: new AbortController().signal })) {
      if (event.type === 'delta') heard.text += event.text;
      else if (event.type === 'reasoning') heard.thoughts += event.text;
      else if (event.type === 'reset') heard.text = '';
      else if (event.type === 'finish') heard.finish = event;
      else heard.calls.push({ name: event.name, input: event.input, ...(event.extra === undefined ? {} : { extra: event.extra }) });
    }
  } catch (error) {
    heard.fault = error as ModelError;
  }
  return heard;
}

describe.each(SERVICES.map((service) => [service.name, service] as const))('%s', (_name, service) => {
  const table = service.cases.flatMap((answer) => DELIVERIES.map((delivery) => [answer.quirk, delivery.name, answer, delivery] as const));

  it.each(table)('%s, %s', (_quirk, _delivery, answer, delivery) =>
    seeded('DELIVERY_SEED', async (random) => {
      const { text, thoughts, calls, finish, fault } = await ask(service, answer, delivered(answer.body, delivery, random));
      expect(text).toBe(answer.reads);
      expect(thoughts).toBe(answer.thinks ?? '');
      expect(fault?.reason ?? fault).toBe(answer.fault);
      if (answer.fault !== undefined) {
        expect(fault?.details).toMatch(/\w/);
        return;
      }
      expect(calls).toEqual(answer.calls ?? []);
      expect(finish?.reason).toBe(answer.reason ?? (answer.calls === undefined ? 'stop' : 'tool-calls'));
      expect(finish?.refusal).toBe(answer.refusal);
      expect(finish?.reasoning?.text ?? '').toBe(answer.thinks ?? '');
      if (answer.usage !== undefined) expect(finish?.usage).toEqual(answer.usage);
      if (answer.fields !== undefined) expect(finish?.reasoning?.fields).toEqual(answer.fields);
    }),
  );
});
