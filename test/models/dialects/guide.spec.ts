// Every configuration of docs/guides/models.md, as it stands there: where its requests go, with which credential and for which model.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ModelRegistry } from '../../../src/providers/models/index.js';
import { ApiClient } from '../../support/api-client.js';
import { ADA, createTestApp } from '../../support/create-test-app.js';
import { startModelServer, type ModelServer } from '../../support/model-server.mjs';
import { SERVICES } from './services/index.js';

const GUIDE = join(import.meta.dirname, '../../../docs/guides/models.md');
const USUAL = { OPENAI: 'https://api.openai.com/v1', ANTHROPIC: 'https://api.anthropic.com/v1', OLLAMA: 'http://127.0.0.1:11434/v1' };

/** Where each service takes requests, from its public documentation. */
const ENDPOINTS: Readonly<Record<string, string>> = {
  OpenAI: 'https://api.openai.com/v1/chat/completions',
  Azure: 'https://my-resource.openai.azure.com/openai/v1/chat/completions',
  Anthropic: 'https://api.anthropic.com/v1/messages',
  Gemini: 'https://generativelanguage.googleapis.com/v1beta/openai/chat/completions',
  Mistral: 'https://api.mistral.ai/v1/chat/completions',
  DeepSeek: 'https://api.deepseek.com/v1/chat/completions',
  Groq: 'https://api.groq.com/openai/v1/chat/completions',
  OpenRouter: 'https://openrouter.ai/api/v1/chat/completions',
  vLLM: 'http://127.0.0.1:8000/v1/chat/completions',
  'llama.cpp': 'http://127.0.0.1:8080/v1/chat/completions',
  Ollama: 'http://127.0.0.1:11434/v1/chat/completions',
  'LM Studio': 'http://127.0.0.1:1234/v1/chat/completions',
};

let server: ModelServer;
let configurations: Map<string, Record<string, string>>;

beforeAll(async () => {
  server = await startModelServer();
  const text = await readFile(GUIDE, 'utf8');
  configurations = new Map(
    [...text.matchAll(/^```ini service=(.+)\n([^`]*)^```/gm)].map(([, service, lines]) => [
      service!,
      Object.fromEntries(
        lines!
          .trim()
          .split('\n')
          .map((line) => line.split(/=(.*)/)),
      ),
    ]),
  );
});
afterAll(() => server.close());

describe('the guide to models', () => {
  it('has a configuration for each service of the table', () => {
    const services = SERVICES.map(({ name }) => name).sort();
    expect([...configurations.keys()].sort()).toEqual(services);
    expect(Object.keys(ENDPOINTS).sort()).toEqual(services);
  });

  it('states the number of recorded responses', async () => {
    const kinds = SERVICES.reduce((sum, { cases }) => sum + cases.length, 0);
    expect(await readFile(GUIDE, 'utf8')).toContain(`${kinds} kinds`);
  });

  it.each(Object.entries(ENDPOINTS))('calls %s at its address', async (service, endpoint) => {
    const settings = configurations.get(service)!;
    const kind = (Object.keys(USUAL) as (keyof typeof USUAL)[]).find((name) => `${name}_MODEL` in settings)!;
    const { origin } = new URL(endpoint);
    // The stand-in has the path of the service, at an address of its own.
    const address = (settings[`${kind}_BASE_URL`] ?? USUAL[kind]).replace(origin, server.origin);
    const test = await createTestApp({ env: { ...settings, [`${kind}_BASE_URL`]: address, RATE_LIMIT: 'off' } });
    try {
      Reflect.deleteProperty(test.app.get(ModelRegistry), 'chat');
      const api = new ApiClient(() => test.url);
      const [userId, agentId] = ['11111111-1111-1111-1111-111111111111', ADA.id];
      const { sessionId } = (await api.post('/api/messaging/sessions', { agentId, userId })).body.data;
      const answer = await api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: 'Hello?', transport: 'http' });
      expect(answer.body.data?.agentResponse?.text ?? answer.body).toBe('You said: Hello?');
    } finally {
      await test.close();
    }
    const { path, headers, body } = server.requests.at(-1)!;
    const key = settings[`${kind}_API_KEY`];
    expect(origin + path).toBe(endpoint);
    expect(headers[kind === 'ANTHROPIC' ? 'x-api-key' : 'authorization']).toBe(kind === 'ANTHROPIC' ? key : key && `Bearer ${key}`);
    expect(body['model']).toBe(settings[`${kind}_MODEL`]);
  });
});
