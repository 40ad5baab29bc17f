import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  A_TOOL,
  afterACall,
  aRequest,
  describeChatModel,
  failureOf,
  listen,
  textOf,
  type ChatModelSubject,
} from '../../../test/support/describe-chat-model.js';
import { startModelServer, type ModelBehaviour, type ModelServer } from '../../../test/support/model-server.mjs';
import { SystemClock } from '../../core/clock/index.js';
import { AppError } from '../../core/errors/index.js';
import { serviceFetch } from '../outbound/index.js';
import type { SdkTarget, Service } from '../sdk/index.js';
import { Tracer } from '../../core/telemetry/index.js';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { complete } from './complete.js';
import { anthropicApi, completionsApi, type ChatApi } from './chat-apis.js';
import { ServiceChatModel } from './service-chat-model.js';

const KEY = 'sk-very-secret-key';
const clock = new SystemClock();
let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer();
});

afterEach(async () => {
  await server.close();
});

interface Made {
  baseUrl?: string;
  retries?: number;
  timeoutMs?: number;
}

function model(api: (service: Service) => ChatApi, name: string, made: Made = {}): ServiceChatModel {
  const baseUrl = made.baseUrl ?? server.baseUrl;
  const service = { name, baseUrl, key: KEY, fetch: serviceFetch(baseUrl) };
  const target = {
    provider: name,
    modelId: 'test-1',
    retries: 2,
    timeoutMs: 10_000,
    clock,
    hint: 'Look there.',
    secret: KEY,
    backoffMs: 1,
    ...made,
  };
  return new ServiceChatModel(target, api(service));
}

function subject(name: string, make: (made?: Made) => ServiceChatModel): ChatModelSubject {
  const scripted = (behaviour: ModelBehaviour, made: Made = {}): Promise<ServiceChatModel> => {
    server.otherwise(behaviour);
    return Promise.resolve(make(made));
  };
  return {
    name,
    replying: (_question, text) => scripted({ kind: 'reply', text }),
    calling: (calls) => scripted({ kind: 'calls', calls: [...calls] }),
    remote: {
      key: KEY,
      hanging: async (after) => ({
        model: await scripted({ kind: 'hang', after, text: 'one two' }),
        asked: () => server.received(),
      }),
      refusing: async (status, times) => {
        const refusal: ModelBehaviour = { kind: 'status', status, headers: { 'retry-after': '0' }, message: `wrong key ${KEY}` };
        server.next(...Array.from({ length: times }, () => refusal));
        return { model: await scripted({ kind: 'reply', text: 'ok' }), calls: () => server.requests.length };
      },
      broken: (how) => {
        switch (how) {
          case 'unreachable':
            return unreachable(make);
          case 'too slow':
            return scripted({ kind: 'hang' }, { timeoutMs: 50 });
          case 'garbage':
            return scripted({ kind: 'garbage' });
          case 'unfinished':
            return scripted({ kind: 'unfinished' });
          case 'cut before':
            return scripted({ kind: 'cut' });
          case 'cut within':
            return scripted({ kind: 'cut', after: 1, text: 'one two' });
          case 'fault within':
            return scripted({ kind: 'fault', after: 1, text: 'one two' });
        }
      },
    },
  };
}

/** A port that was free a moment ago has no listener. */
async function unreachable(make: (made?: Made) => ServiceChatModel): Promise<ServiceChatModel> {
  const gone = await startModelServer();
  await gone.close();
  return make({ baseUrl: gone.baseUrl });
}

const openai = (made?: Made): ServiceChatModel => model(completionsApi, 'openai', made);
const anthropic = (made?: Made): ServiceChatModel => model(anthropicApi, 'anthropic', made);

describeChatModel(subject('ServiceChatModel (OpenAI-compatible)', openai));
describeChatModel(subject('ServiceChatModel (Anthropic)', anthropic));

describe('ServiceChatModel', () => {
  it.each([
    ['an OpenAI-compatible service', openai, { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } }],
    ['Anthropic', anthropic, { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AQID' } }],
  ])('sends pictures in the format of %s', async (_name, make, part) => {
    const files = [{ mediaType: 'image/png', data: new Uint8Array([1, 2, 3]), name: 'a.png' }];
    await listen(make(), { ...aRequest('What is this?'), messages: [{ role: 'user', content: 'What is this?', files }] });
    expect((server.requests[0]?.body['messages'] as object[]).at(-1)).toMatchObject({
      role: 'user',
      content: [{ type: 'text', text: 'What is this?' }, part],
    });
  });

  it.each([
    ['an OpenAI-compatible service', openai, { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AQID' } }],
    ['Anthropic', anthropic, { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AQID' } }],
  ])('sends documents in the format of %s', async (_name, make, part) => {
    const files = [{ mediaType: 'application/pdf', data: new Uint8Array([1, 2, 3]), name: 'a.pdf' }];
    await listen(make(), { ...aRequest('What does it say?'), messages: [{ role: 'user', content: 'What does it say?', files }] });
    expect((server.requests[0]?.body['messages'] as object[]).at(-1)).toMatchObject({
      role: 'user',
      content: [{ type: 'text', text: 'What does it say?' }, part],
    });
  });

  it('sends tools, calls and results in the OpenAI format', async () => {
    await listen(openai(), { ...afterACall('When?'), toolChoice: 'none' });
    expect(server.requests[0]?.body).toMatchObject({
      tools: [{ type: 'function', function: { name: A_TOOL.name, description: A_TOOL.description, parameters: A_TOOL.parameters } }],
      tool_choice: 'none',
    });
    expect((server.requests[0]?.body['messages'] as object[]).slice(-2)).toMatchObject([
      { role: 'assistant', tool_calls: [{ id: 'call-1', type: 'function', function: { name: A_TOOL.name, arguments: '{"loaves":2}' } }] },
      { role: 'tool', tool_call_id: 'call-1', content: '{"success":true}' },
    ]);
  });

  it('sends tools, calls and results in the Anthropic format', async () => {
    await listen(anthropic(), afterACall('When?'));
    expect(server.requests[0]?.body).toMatchObject({
      tools: [{ name: A_TOOL.name, description: A_TOOL.description, input_schema: A_TOOL.parameters }],
    });
    expect((server.requests[0]?.body['messages'] as object[]).slice(-2)).toMatchObject([
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call-1', name: A_TOOL.name, input: { loaves: 2 } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call-1', content: '{"success":true}' }] },
    ]);
  });

  it('omits tools from a request without them', async () => {
    await listen(openai(), aRequest('When?'));
    await listen(anthropic(), aRequest('When?'));
    for (const { body } of server.requests) expect(Object.keys(body).filter((key) => key.startsWith('tool'))).toEqual([]);
  });

  it('passes arguments that are not JSON on unchanged', async () => {
    server.otherwise({ kind: 'calls', calls: [{ id: 'call-1', name: A_TOOL.name, input: '{"loaves":' }] });
    const events = await listen(anthropic(), { ...aRequest('When?'), tools: [A_TOOL] });
    expect(events[0]).toEqual({ type: 'tool-call', id: 'call-1', name: A_TOOL.name, input: '{"loaves":' });
  });

  it('sends the conversation and the key in the OpenAI format', async () => {
    await listen(openai(), { ...aRequest('When?'), temperature: 0.5 });
    const request = server.requests[0];
    expect(request?.path).toBe('/v1/chat/completions');
    expect(request?.headers['authorization']).toBe(`Bearer ${KEY}`);
    expect(request?.body).toMatchObject({
      model: 'test-1',
      stream: true,
      temperature: 0.5,
      max_tokens: 100,
      messages: [
        { role: 'system', content: 'You are Marta, a baker.' },
        { role: 'user', content: 'First question' },
        { role: 'assistant', content: 'First answer' },
        { role: 'user', content: 'When?' },
      ],
    });
  });

  it('sends the conversation and the key in the Anthropic format', async () => {
    await listen(anthropic(), aRequest('When?'));
    const request = server.requests[0];
    expect(request?.path).toBe('/v1/messages');
    expect(request?.headers['x-api-key']).toBe(KEY);
    expect(request?.body).toMatchObject({
      model: 'test-1',
      stream: true,
      max_tokens: 100,
      system: [{ type: 'text', text: 'You are Marta, a baker.' }],
    });
    expect(request?.body['messages']).toHaveLength(3);
  });

  it.each([openai, anthropic])('returns the replying model and the token counts of the service', async (make) => {
    const events = await listen(make(), aRequest('When?'));
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop', usage: { inputTokens: 7, outputTokens: 3 }, model: 'test-1' });
  });

  it('waits for the time in Retry-After before it retries', async () => {
    const waits: number[] = [];
    const timeoutMs = 10_000;
    class WatchedClock extends SystemClock {
      override after(ms: number, task: () => void): () => void {
        // Other limits than the pause between two tries.
        if (ms === timeoutMs || ms === 1000) return super.after(ms, task);
        waits.push(ms);
        return super.after(0, task);
      }
    }
    server.next({ kind: 'status', status: 429, headers: { 'retry-after': '7' } });
    const target = { provider: 'openai', modelId: 'm', retries: 1, timeoutMs, clock: new WatchedClock(), hint: 'h', backoffMs: 1 };
    const api = completionsApi({ name: 'openai', baseUrl: server.baseUrl, fetch: serviceFetch(server.baseUrl) });
    const patient = new ServiceChatModel(target, api);
    expect(textOf(await listen(patient, aRequest('When?')))).toBe('You said: When?');
    expect(waits).toEqual([7000]);
  });

  it('ignores a Retry-After beyond its time limit', async () => {
    server.otherwise({ kind: 'status', status: 429, headers: { 'retry-after': '3600' } });
    const { error } = await failureOf(openai(), aRequest('When?'));
    expect((error as AppError).message).toContain('429');
    expect(server.requests).toHaveLength(1);
  });

  it('stops waiting for the next attempt when it is aborted', async () => {
    server.otherwise({ kind: 'status', status: 429, headers: { 'retry-after': '5' } });
    const caller = new AbortController();
    const failure = failureOf(openai(), aRequest('When?'), caller.signal);
    await (
      await server.received()
    ).closed;
    const reason = new Error('never mind');
    caller.abort(reason);
    expect((await failure).error).toBe(reason);
  });

  it('fails with MODEL_UNAVAILABLE when a web page responds instead of the service', async () => {
    server.otherwise({ kind: 'page' });
    const { error } = await failureOf(openai({ retries: 0 }), aRequest('When?'));
    expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE' });
  });

  it('keeps the conversation out of the logged cause', async () => {
    server.otherwise({ kind: 'status', status: 400, message: `no such thing, ${KEY}` });
    const { error } = await failureOf(openai(), aRequest('a private matter'));
    const { cause } = error as AppError;
    expect(cause).toBeInstanceOf(Error);
    expect(Object.keys(cause as Error)).toEqual([]);
    expect((cause as Error).message).toContain('no such thing, [key]');
    expect((cause as Error).stack).not.toContain(KEY);
  });

  it.each([openai, anthropic])('yields each piece of text as it arrives', async (make) => {
    server.otherwise({ kind: 'reply', text: 'one two three', delayMs: 20 });
    const events = await listen(make(), aRequest('When?'));
    expect(events.flatMap((event) => (event.type === 'delta' ? [event.text] : []))).toEqual(['one ', 'two ', 'three']);
  });

  it.each([openai, anthropic])('frees the connection for the next call', async (make) => {
    for (let i = 0; i < 6; i += 1) await listen(make(), aRequest('When?'));
    // Two, because a connection is free again only a moment after its answer has ended.
    expect(new Set(server.requests.map(({ connection }) => connection)).size).toBeLessThanOrEqual(2);
  });
});

describe('ServiceChatModel and unsupported parameters', () => {
  const short = { ...aRequest('A title?'), temperature: 0.3, maxOutputTokens: 50 };

  it('retries once without the refused parameters and remembers them for the next call', async () => {
    await server.close();
    server = await startModelServer({ template: 'openai-reasoning' });
    const subject = openai({ retries: 0 });
    expect(textOf(await listen(subject, short))).toBe('You said: A title?');
    expect(server.requests.map(({ body }) => [body['max_tokens'], body['max_completion_tokens'], body['temperature']])).toEqual([
      [50, undefined, 0.3],
      [undefined, 8242, 0.3],
      [undefined, 8242, undefined],
    ]);
    await listen(subject, short);
    expect(server.requests).toHaveLength(4);
  });

  it('puts the system message into the first user message for a model without a system role', async () => {
    await server.close();
    server = await startModelServer({ template: 'gemma' });
    await listen(openai(), aRequest('When?'));
    expect((server.requests.at(-1)?.body['messages'] as object[])[0]).toEqual({
      role: 'user',
      content: 'You are Marta, a baker.\n\nFirst question',
    });
  });

  it('raises the limit of a model whose reasoning used it up before the first word', async () => {
    const chunk = (delta: object, finish: string | null): string =>
      `data: ${JSON.stringify({ choices: [{ delta, finish_reason: finish }] })}\n\n`;
    server.next({ kind: 'wire', body: `${chunk({}, 'length')}data: [DONE]\n\n` });
    const subject = openai();
    const { text } = await complete(subject, short, { signal: new AbortController().signal, tracer: new Tracer(clock) });
    expect(text).toBe('You said: A title?');
    expect(server.requests.map(({ body }) => body['max_tokens'])).toEqual([50, 8242]);
  });
});

describe('ServiceChatModel and reasoning that begins in the prompt', () => {
  const piece = (content: string): string => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
  const end = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`;
  const thinking = piece('Count ') + piece('them.\n</think>\n\n') + piece('Three.') + end;

  /** The events of an answer that arrives event by event. */
  async function heard(subject: ServiceChatModel, body: string): Promise<{ types: string[]; text: string; failure?: unknown }> {
    server.next({ kind: 'wire', body, pieces: body.split(/(?<=\n\n)/).map((part) => Buffer.byteLength(part)) });
    const types: string[] = [];
    let text = '';
    try {
      for await (const event of subject.stream(aRequest('How many?'), { signal: new AbortController().signal })) {
        if (event.type !== 'reasoning') types.push(event.type);
        if (event.type === 'reset') text = '';
        if (event.type === 'delta') text += event.text;
      }
    } catch (failure) {
      return { types, text, failure };
    }
    return { types, text };
  }

  it('hides the reasoning of a model that has sent some before', async () => {
    const subject = openai({ retries: 0 });
    expect(await heard(subject, thinking)).toEqual({ types: ['delta', 'reset', 'delta', 'finish'], text: 'Three.' });
    expect(await heard(subject, thinking)).toEqual({ types: ['delta', 'finish'], text: 'Three.' });
  });

  it('yields the text of a reply without reasoning, including an interrupted one', async () => {
    const subject = openai({ retries: 0 });
    await heard(subject, thinking);
    const broken = await heard(subject, `${piece('One, ')}data: ${JSON.stringify({ error: { message: 'away' } })}\n\n`);
    expect(broken).toMatchObject({ text: 'One, ', failure: { code: 'MODEL_UNAVAILABLE' } });
    expect(await heard(subject, piece('One, ') + piece('two.') + end)).toEqual({ types: ['delta', 'delta', 'finish'], text: 'One, two.' });
    expect(await heard(subject, thinking)).toMatchObject({ types: ['delta', 'reset', 'delta', 'finish'] });
  });
});

describe('the time limits of ServiceChatModel', () => {
  const words = Array.from({ length: 75 }, (_, index) => `word${index} `);

  async function slowly(
    target: Partial<SdkTarget>,
    beforeEach: (clock: FakeClock) => Promise<void>,
  ): Promise<{ heard: string; error?: unknown }> {
    const time = new FakeClock();
    const bodies: ReadableStreamDefaultController<Uint8Array>[] = [];
    const fetch = (_url: string, { signal }: { signal: AbortSignal }): Promise<Response> => {
      const start = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
        bodies.push(controller);
        signal.addEventListener('abort', () => controller.error(signal.reason));
      };
      return Promise.resolve(new Response(new ReadableStream({ start }), { headers: { 'content-type': 'text/event-stream' } }));
    };
    const service = { name: 'openai', baseUrl: 'http://127.0.0.1:9/v1', fetch: fetch as unknown as typeof globalThis.fetch };
    const all = { provider: 'openai', modelId: 'm', retries: 0, timeoutMs: 60_000, clock: time, hint: 'h', ...target };
    const events = new ServiceChatModel(all, completionsApi(service)).stream(aRequest('Count.'), { signal: new AbortController().signal });
    let heard = '';
    try {
      for (const word of words) {
        const next = events.next();
        await beforeEach(time);
        const chunk = Buffer.from(`data: ${JSON.stringify({ choices: [{ delta: { content: word } }] })}\n\n`);
        const { value } = await Promise.race([next, turn().then(() => (bodies[0]?.enqueue(chunk), next))]);
        heard += value?.type === 'delta' ? value.text : '';
      }
    } catch (error) {
      return { heard, error };
    } finally {
      await events.return();
    }
    return { heard };
  }
  const turn = async (): Promise<void> => {
    for (let each = 0; each < 20; each += 1) await Promise.resolve();
  };

  it('apply between events, so a reply may take any time while it progresses', async () => {
    const { heard, error } = await slowly({}, async (time) => {
      await turn();
      time.advance(59_000);
    });
    expect(error).toBeUndefined();
    expect(heard).toBe(words.join(''));
  });

  it('end a reply that stops arriving, and keep its text', async () => {
    let said = 0;
    const { heard, error } = await slowly({ names: { address: 'THE_ADDRESS', model: 'THE_MODEL' } }, async (time) => {
      await turn();
      said += 1;
      time.advance(said === 3 ? 60_000 : 1000);
    });
    expect(heard).toBe('word0 word1 ');
    expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE', message: 'openai (m) sent nothing more within 60000 ms.' });
    expect((error as AppError).details).toMatch(/MODEL_TIMEOUT_MS/);
  });

  it('end a whole reply only when the operator sets a total', async () => {
    const { heard, error } = await slowly({ totalTimeoutMs: 10_000 }, async (time) => {
      await turn();
      time.advance(1000);
    });
    expect(heard).toBe(words.slice(0, 9).join(''));
    expect(error).toMatchObject({
      message: 'openai (m) did not finish within 10000 ms.',
      details: expect.stringContaining('MODEL_TOTAL_TIMEOUT_MS'),
    });
  });
});
