import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { A_TOOL, aRequest, failureOf, listen, textOf } from '../../../test/support/describe-chat-model.js';
import { startModelServer, type ModelServer } from '../../../test/support/model-server.mjs';
import { SystemClock } from '../../core/clock/index.js';
import { serviceFetch } from '../outbound/index.js';
import { completionsApi } from './chat-apis.js';
import { ServiceChatModel } from './service-chat-model.js';

let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer();
});

afterEach(async () => {
  await server.close();
});

function model(): ServiceChatModel {
  const target = { provider: 'openai', modelId: 'm', retries: 0, timeoutMs: 10_000, clock: new SystemClock(), hint: 'h' };
  return new ServiceChatModel(target, completionsApi({ name: 'openai', baseUrl: server.baseUrl, fetch: serviceFetch(server.baseUrl) }));
}

describe('ServiceChatModel and the demands of a request', () => {
  const short = { ...aRequest('A title?'), temperature: 0.3, maxOutputTokens: 50 };

  /** Refuses what a server for a small model does not know, one thing after the other. */
  const refuseWhat = (refusals: (body: Readonly<Record<string, unknown>>) => string | undefined): void =>
    server.otherwise((body) => {
      const message = refusals(body);
      return message === undefined ? { kind: 'reply', text: 'One. END Two.' } : { kind: 'status', status: 400, message };
    });
  const systemOf = (body: Readonly<Record<string, unknown>>): string => (body['messages'] as { content: string }[])[0]!.content;

  it('asks for the format of the response in another way until the service takes it', async () => {
    const schema = { type: 'object' };
    refuseWhat(({ response_format: format }) =>
      format === undefined ? undefined : `response_format of type '${(format as { type: string }).type}' is not supported`,
    );
    const subject = model();
    const request = { ...short, responseFormat: { type: 'json_schema', name: 'a', schema, strict: true } } as const;
    await listen(subject, request);
    await listen(subject, request);
    const formats = server.requests.map(({ body }) => (body['response_format'] as { type: string } | undefined)?.type);
    expect(formats).toEqual(['json_schema', 'json_object', undefined, undefined]);
    const [first, ...others] = server.requests.map(({ body }) => systemOf(body));
    expect(first).toBe('You are Marta, a baker.');
    for (const system of others) expect(system).toContain(JSON.stringify(schema));
  });

  it('puts a schema that the service refuses into words for this request alone, unless it has to be held exactly', async () => {
    const message = "Invalid schema for response_format 'a': 'oneOf' is not permitted.";
    refuseWhat((body) => (JSON.stringify(body['response_format'] ?? '').includes('oneOf') ? message : undefined));
    const subject = model();
    const responseFormat = { type: 'json_schema', name: 'a', schema: { oneOf: [] } } as const;
    await listen(subject, { ...short, responseFormat });
    await listen(subject, { ...short, responseFormat: { ...responseFormat, schema: {} } });
    expect(server.requests.map(({ body }) => 'response_format' in body)).toEqual([true, false, true]);
    expect(systemOf(server.requests[1]!.body)).toContain('{"oneOf":[]}');
    const { error } = await failureOf(subject, { ...short, responseFormat: { ...responseFormat, strict: true } });
    expect(error).toMatchObject({ code: 'MODEL_REJECTED' });
  });

  it('requires a call in another way until the service takes it, and fails without tools', async () => {
    refuseWhat(({ tool_choice: choice }) => (choice === undefined ? undefined : 'tool_choice is not supported'));
    const subject = model();
    const request = { ...short, tools: [A_TOOL, { ...A_TOOL, name: 'OTHER' }], toolChoice: { name: A_TOOL.name } };
    await listen(subject, request);
    expect(server.requests.map(({ body }) => [typeof body['tool_choice'], (body['tools'] as object[]).length])).toEqual([
      ['object', 2],
      ['string', 1],
      ['undefined', 1],
    ]);
    expect(systemOf(server.requests[2]!.body)).toContain('Respond with a call');
    refuseWhat(({ tools }) => (tools === undefined ? undefined : 'm does not support tools'));
    expect((await failureOf(subject, request)).error).toMatchObject({ code: 'MODEL_REJECTED' });
    expect(textOf(await listen(subject, { ...request, toolChoice: 'auto' }))).toBe('One. END Two.');
  });

  it('ends the response itself at a stop text that the service refuses', async () => {
    refuseWhat(({ stop }) => (stop === undefined ? undefined : "Unsupported parameter: 'stop' is not supported with this model."));
    const events = await listen(model(), { ...short, stop: ['END'] });
    expect([textOf(events), events.at(-1)]).toEqual(['One. ', { type: 'finish', reason: 'stop', usage: {} }]);
    expect(server.requests.map(({ body }) => body['stop'])).toEqual([['END'], undefined]);
  });

  it('follows a service that refuses many parameters', async () => {
    const known = new Set(['model', 'messages', 'stream']);
    refuseWhat((body) => {
      const unknown = Object.keys(body).find((field) => !known.has(field));
      return unknown === undefined ? undefined : `Unrecognized request argument supplied: ${unknown}`;
    });
    const request = { ...short, stop: ['END'], topP: 0.5, reasoningEffort: 'low', responseFormat: { type: 'json_object' } } as const;
    expect(textOf(await listen(model(), request))).toBe('One. ');
  });

  it('asks again when another call has learnt what the service refuses', async () => {
    refuseWhat(({ temperature }) => (temperature === undefined ? undefined : 'temperature is not supported'));
    const subject = model();
    const answers = await Promise.all([1, 2, 3].map(() => listen(subject, short)));
    expect(answers.map(textOf)).toEqual(Array.from({ length: 3 }, () => 'One. END Two.'));
    expect(server.requests).toHaveLength(6);
  });
});
