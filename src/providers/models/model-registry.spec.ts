import { afterEach, describe, expect, it } from '@jest/globals';
import { aRequest, listen, textOf } from '../../../test/support/describe-chat-model.js';
import { startModelServer, type ModelServer } from '../../../test/support/model-server.mjs';
import { SystemClock } from '../../core/clock/index.js';
import { loadConfig } from '../../core/config/index.js';
import { Outbound } from '../outbound/index.js';
import type { ChatModel } from './chat-model.js';
import { ModelRegistry } from './model-registry.js';
// Modules define their own settings.
import '../../app.module.js';

function registry(env: Record<string, string> = {}): ModelRegistry {
  const [config, clock] = [loadConfig(env, '1.2.3'), new SystemClock()];
  return new ModelRegistry(config, clock, new Outbound(config, clock));
}

let server: ModelServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

describe('ModelRegistry', () => {
  it.each([
    [{}, 'offline', 'offline'],
    [{ OPENAI_API_KEY: 'k' }, 'openai', 'gpt-4o-mini'],
    [{ OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', OPENAI_MODEL: 'm' }, 'openai', 'm'],
    [{ ANTHROPIC_API_KEY: 'k' }, 'anthropic', 'claude-sonnet-4-5'],
    [{ ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' }, 'openai', 'gpt-4o-mini'],
    [{ OLLAMA_BASE_URL: 'http://127.0.0.1:1/v1' }, 'ollama', 'llama3.2'],
    [{ OLLAMA_MODEL: 'm' }, 'ollama', 'm'],
    [{ ANTHROPIC_API_KEY: 'k', OLLAMA_MODEL: 'm' }, 'anthropic', 'claude-sonnet-4-5'],
    [{ OPENAI_API_KEY: 'k', MODEL_PROVIDER: 'offline' }, 'offline', 'offline'],
    [{ MODEL_PROVIDER: 'ollama' }, 'ollama', 'llama3.2'],
  ] as const)('with %j the model is %s %s', (env, provider, model) => {
    const models = registry(env);
    expect(models.describe().chat).toEqual({ provider, model });
    expect(models.chat()).toMatchObject({ provider, modelId: model });
  });

  it.each([
    [{}, null],
    [{ OPENAI_API_KEY: 'k' }, null],
    [{ ANTHROPIC_API_KEY: 'k' }, null],
    [{ OLLAMA_MODEL: 'm' }, null],
    [{ OPENAI_BASE_URL: 'https://models.example.com/v1' }, 'models.example.com'],
    [{ OPENAI_BASE_URL: 'http://127.0.0.1:1234/v1' }, '127.0.0.1:1234'],
  ])('with %j the compatible service is at %s', (env, host) => {
    expect(registry(env).compatibleHost).toBe(host);
  });

  it.each([
    [{ MODEL_PROVIDER: 'openai' }, 'OPENAI_API_KEY must be set for MODEL_PROVIDER=openai.'],
    [{ MODEL_PROVIDER: 'anthropic' }, 'ANTHROPIC_API_KEY must be set for MODEL_PROVIDER=anthropic.'],
    [{ EMBEDDING_PROVIDER: 'openai' }, 'OPENAI_API_KEY must be set for EMBEDDING_PROVIDER=openai.'],
  ])('refuses %j and names what is missing', (env, message) => {
    expect(() => registry(env)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID', message }));
  });

  it('lets an agent choose its own provider and model', () => {
    const models = registry({ OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' });
    expect(models.chat({ provider: 'anthropic' })).toMatchObject({ provider: 'anthropic', modelId: 'claude-sonnet-4-5' });
    expect(models.chat({ model: 'gpt-5' })).toMatchObject({ provider: 'openai', modelId: 'gpt-5' });
    expect(models.chat({ provider: 'ollama', model: 'm' })).toMatchObject({ provider: 'ollama', modelId: 'm' });
    expect(models.chat({ provider: 'offline', model: 'm' })).toMatchObject({ provider: 'offline', modelId: 'offline' });
    expect(models.chat({ provider: '', model: '' })).toBe(models.chat());
  });

  it('returns the same object for the same choice', () => {
    const models = registry({ OPENAI_API_KEY: 'k' });
    expect(models.chat({ model: 'a' })).toBe(models.chat({ provider: 'openai', model: 'a' }));
    expect(models.chat({ model: 'a' })).not.toBe(models.chat({ model: 'b' }));
  });

  it('keeps a limited number of models chosen by agents, and separates those with services of their own', async () => {
    const models = registry({ OPENAI_API_KEY: 'k' });
    const own = (key: string): ChatModel => models.chat({ services: { openai: { address: 'http://127.0.0.1:1/v1', key } } });
    const first = own('first');
    expect(own('first')).toBe(first);
    expect([own('second'), models.chat()]).not.toContain(first);
    for (let i = 0; i < 1000; i += 1) own(`key ${i}`);
    expect(own('first')).not.toBe(first);
    await models.close();
  });

  it('does not reach a private network for an agent unless the operator allows it', async () => {
    server = await startModelServer();
    const choice = { services: { openai: { address: server.baseUrl } } };
    const error: unknown = await listen(registry().chat(choice), aRequest('anyone?')).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE', details: expect.stringContaining('OUTBOUND_ALLOWED_NETWORKS') });
    expect(server.requests).toEqual([]);
    const allowed = registry({ OUTBOUND_ALLOWED_NETWORKS: 'loopback' });
    expect(textOf(await listen(allowed.chat(choice), aRequest('anyone?')))).toBe('You said: anyone?');
  });

  it.each([
    ['offline', { openai: { key: 'k' } }, 'openai'],
    ['offline', { anthropic: { address: 'http://127.0.0.1:1' }, ollama: { address: 'http://127.0.0.1:1' } }, 'anthropic'],
    ['ollama', { openai: { key: 'k' }, ollama: { address: 'http://127.0.0.1:1' } }, 'ollama'],
    ['ollama', { elevenlabs: { key: 'k' } }, 'ollama'],
  ] as const)('where the server has %s, services %j of an agent choose %s', (standard, services, provider) => {
    const models = registry({ MODEL_PROVIDER: standard });
    expect(models.chat({ services }).provider).toBe(provider);
    expect(models.chat({ services, provider: 'offline' }).provider).toBe('offline');
  });

  it('lists the available providers when an agent chose an unknown one', () => {
    const details = 'Use one of openai, anthropic, ollama, offline.';
    expect(() => registry().chat({ provider: 'gemini' })).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR', details }));
  });

  it("names the key that an agent's provider lacks", () => {
    const wrong = expect.objectContaining({ code: 'MODEL_UNAVAILABLE', details: 'Set ANTHROPIC_API_KEY.' });
    expect(() => registry().chat({ provider: 'anthropic' })).toThrow(wrong);
  });

  it.each([
    [{}, { provider: 'embedded', model: 'use-lite' }, 512],
    [{ EMBEDDING_PROVIDER: 'openai', OPENAI_API_KEY: 'k' }, { provider: 'openai', model: 'text-embedding-3-small' }, undefined],
    [{ EMBEDDING_PROVIDER: 'none' }, null, undefined],
  ] as const)('with %j embeddings are %j', (env, description, dimension) => {
    const models = registry(env);
    expect(models.describe().embeddings).toEqual(description);
    expect(models.embeddings()?.dimension).toBe(dimension);
    expect(models.embeddings() === undefined).toBe(description === null);
  });

  it('replies offline and over the network, as configured', async () => {
    server = await startModelServer();
    const models = registry({ OPENAI_BASE_URL: server.baseUrl, EMBEDDING_PROVIDER: 'none' });
    expect(textOf(await listen(models.chat(), aRequest('anyone?')))).toBe('You said: anyone?');
    expect(server.requests[0]?.headers['authorization']).toBeUndefined();
    expect(textOf(await listen(models.chat({ provider: 'offline' }), aRequest('anyone?', 'me')))).toBe('me');
    await models.close();
  });

  it('closes the embedding model when it is closed', async () => {
    const models = registry();
    await models.close();
    await expect(models.embeddings()?.embed(['a'])).rejects.toMatchObject({ code: 'SERVER_STOPPING' });
  });
});
