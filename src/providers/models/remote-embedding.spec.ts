import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startModelServer, type ModelServer } from '../../../test/support/model-server.mjs';
import { SystemClock } from '../../core/clock/index.js';
import { serviceFetch } from '../outbound/index.js';
import { RemoteEmbedding } from './remote-embedding.js';
import { embeddingsApi } from './embeddings-api.js';

let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer();
});

afterEach(async () => {
  await server.close();
});

function embedding(timeoutMs = 10_000): RemoteEmbedding {
  const target = {
    provider: 'openai',
    modelId: 'embed-1',
    retries: 2,
    timeoutMs,
    clock: new SystemClock(),
    hint: 'Look there.',
    backoffMs: 1,
  };
  const service = { name: 'openai', baseUrl: server.baseUrl, key: 'sk-secret', fetch: serviceFetch(server.baseUrl) };
  return new RemoteEmbedding(target, embeddingsApi(service, 'embed-1'));
}

describe('RemoteEmbedding', () => {
  it('returns vectors of length 1 in the order of the texts and learns their dimension', async () => {
    const subject = embedding();
    expect(subject.dimension).toBeUndefined();
    const [a, blank, b] = await subject.embed(['apple', ' ', 'banana']);
    expect(subject.dimension).toBe(8);
    expect(blank).toEqual(new Float32Array(8));
    for (const vector of [a, b]) expect(Math.hypot(...(vector ?? []))).toBeCloseTo(1, 5);
    expect((await subject.embed(['banana']))[0]).toEqual(b);
    expect(server.requests[0]?.body).toMatchObject({ model: 'embed-1', input: ['apple', 'banana'] });
    expect(server.requests[0]?.headers['authorization']).toBe('Bearer sk-secret');
  });

  it('sends no request for blank texts', async () => {
    expect(await embedding().embed(['', '  '])).toEqual([new Float32Array(), new Float32Array()]);
    expect(server.requests).toHaveLength(0);
  });

  it('splits an input that is too large for one request', async () => {
    const texts = Array.from({ length: 300 }, (_, i) => `text ${i}`);
    expect(await embedding().embed(texts)).toHaveLength(300);
    expect(server.requests.map(({ body }) => (body['input'] as string[]).length)).toEqual([128, 128, 44]);
  });

  it('reads the beginning of a long text, or all of it when it is asked to', async () => {
    const text = 'a word of four '.repeat(2000);
    await embedding().embed([text]);
    await embedding().embed([text], { whole: true });
    const [beginning, all] = server.requests.map(({ body }) => (body['input'] as string[]).join(' '));
    expect(beginning!.length).toBeLessThan(text.length / 1.5);
    expect(all).toBe(text.trim());
  });

  it('retries after 503 and fails with MODEL_UNAVAILABLE', async () => {
    server.next({ kind: 'status', status: 503 });
    await expect(embedding().embed(['a'])).resolves.toHaveLength(1);
    server.otherwise({ kind: 'status', status: 503 });
    await expect(embedding().embed(['a'])).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
  });

  it('fails with MODEL_REJECTED when the service refuses', async () => {
    server.otherwise({ kind: 'status', status: 401 });
    await expect(embedding().embed(['a'])).rejects.toMatchObject({ code: 'MODEL_REJECTED' });
    expect(server.requests).toHaveLength(1);
  });

  it('ends at its time limit, and with the reason of its signal', async () => {
    server.otherwise({ kind: 'hang' });
    const caller = new AbortController();
    const reason = new Error('stop');
    const call = embedding().embed(['a'], { signal: caller.signal });
    const { closed } = await server.received();
    caller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(await closed).toBe(false);
    await expect(embedding(30).embed(['a'])).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
  });

  it('rejects calls when it is closed', async () => {
    server.otherwise({ kind: 'hang' });
    const subject = embedding();
    const call = subject.embed(['a']);
    await server.received();
    await subject.close();
    await expect(call).rejects.toMatchObject({ code: 'SERVER_STOPPING' });
    await expect(subject.embed(['a'])).rejects.toMatchObject({ code: 'SERVER_STOPPING' });
  });
});
