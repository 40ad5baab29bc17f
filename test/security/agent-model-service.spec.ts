// An agent's settings may name a model service of its own. A caller who can change an agent reaches no network of the operator by it, gets no key of
// the operator, and does not see the agent's keys either.
import { readdir, readFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/core/config/index.js';
import { MASK } from '../../src/core/secrets/index.js';
import { ModelRegistry } from '../../src/providers/models/index.js';
import { Outbound } from '../../src/providers/outbound/index.js';
import type { ApiResponse } from '../support/api-client.js';
import { recording } from '../support/describe-transcriber.js';
import { FakeClock } from '../support/fake-clock.js';
import { startModelServer, type ModelServer } from '../support/model-server.mjs';
import { startSpeechServer, type SpeechServer } from '../support/speech-server.mjs';
import { GuardedApp } from './support/guarded-app.js';

const OPERATORS = { OPENAI_API_KEY: 'sk-operators-openai-key', ANTHROPIC_API_KEY: 'sk-operators-anthropic-key' };
const OWN = 'sk-own-key-of-the-agent';
const ENVIRONMENT = 'sk-key-of-the-environment';
// A neighbour on loopback that the operator does not allow.
const PRIVATE = '127.0.0.2';

let operators: ModelServer;
let own: ModelServer;
let voices: SpeechServer;
let operatorsVoices: SpeechServer;
let intern: Server;
let app: GuardedApp;
let agents = 0;
const reached: string[] = [];

beforeAll(async () => {
  [operators, own] = [await startModelServer(), await startModelServer()];
  [operatorsVoices, voices] = [await startSpeechServer(), await startSpeechServer()];
  intern = createServer((request, response) => {
    reached.push(`${request.headers.host}${request.url}`);
    response.end('{}');
  });
  intern.listen(0, PRIVATE);
  await once(intern, 'listening');
  app = new GuardedApp({
    env: {
      ...OPERATORS,
      MODEL_PROVIDER: 'openai',
      MODEL_RETRIES: '3',
      OPENAI_BASE_URL: operators.baseUrl,
      ANTHROPIC_BASE_URL: operators.baseUrl,
      OLLAMA_BASE_URL: operators.baseUrl,
      OPENAI_AUDIO_BASE_URL: operatorsVoices.baseUrl,
      SPEECH_PROVIDER: 'none',
      TRANSCRIPTION_PROVIDER: 'none',
      OUTBOUND_ALLOWED_NETWORKS: '127.0.0.1',
      'CHARACTER.ENVIRONED.OPENAI_API_KEY': ENVIRONMENT,
      'CHARACTER.PLACED.OPENAI_API_KEY': ENVIRONMENT,
      'CHARACTER.PLACED.OPENAI_BASE_URL': own.baseUrl,
    },
  });
  await app.start();
  // The real models again: they are what is tested here.
  Reflect.deleteProperty(app.test.app.get(ModelRegistry), 'chat');
});
afterAll(async () => {
  await app.test.close();
  await Promise.all([operators.close(), own.close(), operatorsVoices.close(), voices.close()]);
  intern.closeAllConnections();
  intern.close();
});
beforeEach(() => {
  reached.length = 0;
  for (const { requests } of [operators, own, operatorsVoices, voices]) (requests as unknown[]).length = 0;
});

type Fields = Record<string, unknown>;

async function agent(character: Fields, name = `Agent ${(agents += 1)}`): Promise<string> {
  const { id } = app.data(await app.api.post('/api/agents', { characterJson: { name, bio: 'x', ...character } }, app.as()));
  app.data(await app.api.post(`/api/agents/${id}/start`, undefined, app.as()));
  return id;
}

async function ask(agentId: string): Promise<ApiResponse> {
  const { sessionId } = await app.session(agentId);
  return app.api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: 'Hello', transport: 'http' }, app.as());
}

async function answered(agentId: string): Promise<void> {
  expect(JSON.stringify(app.data(await ask(agentId)))).toContain('You said:');
}

const change = (id: string, fields: Fields): Promise<ApiResponse> => app.api.send('PATCH', `/api/agents/${id}`, fields, app.as());
const keys = (server: ModelServer): (string | undefined)[] =>
  server.requests.map(({ headers }) => headers['authorization']?.replace('Bearer ', '') ?? headers['x-api-key']);

describe.each(['openai', 'anthropic'])('an agent with its own service of %s', (provider) => {
  const [address, key] = [`${provider.toUpperCase()}_BASE_URL`, `${provider.toUpperCase()}_API_KEY`];

  it.each<[string, () => Fields]>([
    ['settings and secrets', () => ({ settings: { [address]: own.baseUrl }, secrets: { [key]: OWN } })],
    ["the settings' secrets", () => ({ settings: { secrets: { [address]: `${own.baseUrl}/`, [key]: OWN } } })],
    ['settings, with a provider', () => ({ settings: { modelProvider: provider, [address]: own.baseUrl, [key]: OWN } })],
  ])('gets its replies from it with its key, named in %s', async (_where, character) => {
    await answered(await agent(character()));
    expect([keys(own), keys(operators)]).toEqual([[OWN], []]);
  });

  it("sends no key when it has none, and never the operator's", async () => {
    const inherited = process.env[key];
    process.env[key] = OPERATORS.OPENAI_API_KEY;
    try {
      await answered(await agent({ settings: { [address]: own.baseUrl } }));
    } finally {
      if (inherited === undefined) Reflect.deleteProperty(process.env, key);
      else process.env[key] = inherited;
    }
    expect([keys(own), keys(operators)]).toEqual([[undefined], []]);
    expect(JSON.stringify(own.requests)).not.toContain('sk-operators');
  });

  it("uses its key at the operator's address when it names no other", async () => {
    await answered(await agent({ settings: { secrets: { [key]: OWN } } }));
    expect([keys(own), keys(operators)]).toEqual([[], [OWN]]);
  });
});

it('an agent with its own Ollama gets its replies from it', async () => {
  await answered(await agent({ settings: { OLLAMA_BASE_URL: own.baseUrl, model: 'own-model' } }));
  expect([keys(own), own.requests[0]?.body['model'], keys(operators)]).toEqual([[undefined], 'own-model', []]);
});

it("an agent without its own service uses the operator's with the operator's key", async () => {
  await answered(await agent({ settings: { OPENAI_BASE_URL: '', secrets: { OPENAI_API_KEY: '' } } }));
  expect([keys(own), keys(operators)]).toEqual([[], [OPERATORS.OPENAI_API_KEY]]);
});

it('agents at the same address use separate keys', async () => {
  const service = (key: string): Fields => ({ settings: { OPENAI_BASE_URL: own.baseUrl }, secrets: { OPENAI_API_KEY: key } });
  const [first, second] = [await agent(service('sk-of-the-first')), await agent(service('sk-of-the-second'))];
  for (const id of [first, second, first]) await answered(id);
  expect(keys(own)).toEqual(['sk-of-the-first', 'sk-of-the-second', 'sk-of-the-first']);
});

it('a changed or removed setting applies from the next reply on', async () => {
  const id = await agent({});
  await answered(id);
  app.data(await change(id, { settings: { OPENAI_BASE_URL: own.baseUrl }, secrets: { OPENAI_API_KEY: OWN } }));
  await answered(id);
  app.data(await change(id, { secrets: { OPENAI_API_KEY: 'sk-a-newer-one' } }));
  await answered(id);
  app.data(await change(id, { settings: { OPENAI_BASE_URL: null }, secrets: { OPENAI_API_KEY: null } }));
  await answered(id);
  expect([keys(own), keys(operators)]).toEqual([
    [OWN, 'sk-a-newer-one'],
    [OPERATORS.OPENAI_API_KEY, OPERATORS.OPENAI_API_KEY],
  ]);
});

describe('a forbidden address', () => {
  const port = (): number => (intern.address() as AddressInfo).port;

  it.each(['openai', 'anthropic', 'ollama'])('fails the reply once, names %s, and reveals nothing of the network', async (provider) => {
    const setting = `${provider.toUpperCase()}_BASE_URL`;
    const id = await agent({ settings: { [setting]: `http://${PRIVATE}:${port()}/v1` } });
    const { status, body } = await ask(id);
    expect([status, body.error.code, reached, keys(operators)]).toEqual([503, 'MODEL_UNAVAILABLE', [], []]);
    expect(body.error.message).toContain(`is not reachable at ${setting} of the agent`);
    expect(body.error.details).toContain('OUTBOUND_ALLOWED_NETWORKS');
    const { runs } = app.data(await app.api.get(`/api/agents/${id}/runs`, app.as()));
    expect(runs[0]).toMatchObject({
      status: 'error',
      metadata: { attempts: 1, error: { code: 'MODEL_UNAVAILABLE', message: body.error.message } },
    });
    expect(JSON.stringify([body, runs])).not.toContain(PRIVATE);
  });

  it("may be another path of the operator's service; the configured address is for the provider's calls", async () => {
    const config = loadConfig({ OLLAMA_BASE_URL: operators.baseUrl }, '0');
    const clock = new FakeClock();
    const outbound = new Outbound(config, clock);
    const models = new ModelRegistry(config, clock, outbound);
    const say = async (address: string): Promise<string> => {
      let text = '';
      const request = {
        messages: [{ role: 'user', content: 'Hello' }],
        grounding: { agentName: 'Ada', facts: [], examples: [], memories: [] },
      } as const;
      const signal = new AbortController().signal;
      for await (const event of models.chat({ provider: 'ollama', services: { ollama: { address } } }).stream(request, { signal })) {
        if (event.type === 'delta') text += event.text;
      }
      return text;
    };
    expect(await say(`${operators.baseUrl}/`)).toContain('You said:');
    for (const path of ['', '/', '/api', '/other/v1', '/v1/extra']) {
      await expect(say(operators.origin + path)).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    }
    expect(operators.requests.map(({ path }) => path)).toEqual(['/v1/chat/completions']);
    await outbound.close();
  });

  it('is not reached through a redirect, which is not retried', async () => {
    const asked: string[] = [];
    const redirecting = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(307, { location: `http://${PRIVATE}:${port()}/v1/chat/completions` }).end();
    });
    redirecting.listen(0, '127.0.0.1');
    await once(redirecting, 'listening');
    const url = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}/v1`;
    const { status, body } = await ask(await agent({ settings: { OPENAI_BASE_URL: url }, secrets: { OPENAI_API_KEY: OWN } }));
    redirecting.close();
    expect([status, body.error.code, asked, reached]).toEqual([503, 'MODEL_UNAVAILABLE', ['/v1/chat/completions'], []]);
    expect(body.error.details).toContain('redirects');
  });

  it.each([
    'models.example.com/v1',
    'ftp://models.example.com',
    'file:///etc/passwd',
    'http://user:password@models.example.com/v1',
    'https://models.example.com/v1?path=',
    'https://models.example.com/v1#',
    7,
  ])('such as %j is refused on input', async (url) => {
    const id = await agent({});
    for (const [field, fields] of [
      ['settings', { settings: { OPENAI_BASE_URL: url } }],
      ['settings.secrets', { settings: { secrets: { OPENAI_BASE_URL: url } } }],
      ['secrets', { secrets: { OPENAI_BASE_URL: url } }],
    ] as const) {
      const created = await app.api.post('/api/agents', { characterJson: { name: 'Never', bio: 'x', ...fields } }, app.as());
      for (const { status, body } of [created, await change(id, fields)]) {
        expect([status, body.error.code]).toEqual([400, 'CHARACTER_INVALID']);
        expect(body.error.message).toContain(`${field}.OPENAI_BASE_URL must be`);
        expect(JSON.stringify(body)).not.toContain('password@');
      }
    }
  });
});

describe("an agent's key", () => {
  it('is encrypted and masked', async () => {
    const canary = 'sk-canary-of-an-own-service';
    const id = await agent({ settings: { OPENAI_BASE_URL: own.baseUrl, secrets: { OPENAI_API_KEY: canary } } });
    const shown = app.data(await app.api.get(`/api/agents/${id}`, app.as()));
    expect(shown.settings).toMatchObject({ OPENAI_BASE_URL: own.baseUrl, secrets: { OPENAI_API_KEY: MASK } });
    own.next({ kind: 'status', status: 401, message: `wrong key ${canary}` });
    const { status, body } = await ask(id);
    expect([status, body.error.code]).toEqual([503, 'MODEL_REJECTED']);
    const runs = app.data(await app.api.get(`/api/agents/${id}/runs`, app.as()));
    expect(JSON.stringify([shown, body, runs])).not.toContain(canary);
    const { dataDir } = app.test.config;
    const files = (await readdir(dataDir)).filter((name) => name.includes('sqlite'));
    expect(files).toContain('parley.sqlite');
    for (const file of files) {
      expect((await readFile(join(dataDir, file))).includes(canary)).toBe(false);
    }
  });

  it('is sent only to the address that it was given for', async () => {
    const id = await agent({ settings: { OPENAI_BASE_URL: operators.baseUrl, secrets: { OPENAI_API_KEY: OWN } } });
    const moves: Fields[] = [
      { settings: { OPENAI_BASE_URL: own.baseUrl } },
      { settings: { secrets: { OPENAI_BASE_URL: own.baseUrl } }, secrets: { OPENAI_BASE_URL: own.baseUrl } },
      { settings: { OPENAI_BASE_URL: own.baseUrl, secrets: { OPENAI_API_KEY: MASK } } },
      { settings: { OPENAI_AUDIO_BASE_URL: voices.baseUrl } },
    ];
    for (const move of moves) {
      const { status, body } = await change(id, move);
      expect([status, body.error.code]).toEqual([400, 'CHARACTER_INVALID']);
      expect(body.error.message).toContain('must be changed together with OPENAI_API_KEY');
    }
    // Nor by a key over it that is taken away again.
    app.data(await change(id, { settings: { OPENAI_BASE_URL: own.baseUrl }, secrets: { OPENAI_API_KEY: 'sk-over-it' } }));
    expect((await change(id, { secrets: { OPENAI_API_KEY: null } })).status).toBe(400);
    await answered(id);
    expect(keys(own)).toEqual(['sk-over-it']);
    app.data(
      await change(id, {
        settings: { OPENAI_BASE_URL: operators.baseUrl, secrets: { OPENAI_API_KEY: OWN } },
        secrets: { OPENAI_API_KEY: null },
      }),
    );
    await answered(id);
    expect(keys(operators)).toEqual([OWN]);
  });

  it("cannot be the operator's at an address of the agent", async () => {
    const secrets = { OPENAI_API_KEY: OPERATORS.OPENAI_API_KEY };
    const { status, body } = await ask(await agent({ settings: { OPENAI_BASE_URL: own.baseUrl }, secrets }));
    expect([status, body.error.code, keys(own)]).toEqual([503, 'MODEL_UNAVAILABLE', []]);
    expect(JSON.stringify(body)).not.toContain(OPERATORS.OPENAI_API_KEY);
  });

  it('from the environment is sent to addresses from there, and to none of the character [agents.settings]', async () => {
    await answered(await agent({ settings: { OPENAI_BASE_URL: own.baseUrl } }, 'Environed'));
    await answered(await agent({}, 'Placed'));
    expect([keys(own), keys(operators)]).toEqual([[undefined, ENVIRONMENT], []]);
  });
});

describe("an agent's own speech service", () => {
  const speak = (id: string): Promise<ApiResponse> => app.api.post(`/api/audio/${id}/speech/generate`, { text: 'Hello.' }, app.as());
  const listen = (id: string): Promise<ApiResponse> => {
    const form = new FormData();
    form.append('file', new Blob([Uint8Array.from(recording('speech.wav'))], { type: 'audio/wav' }), 'speech.wav');
    return app.api.send('POST', `/api/audio/${id}/transcriptions`, form, app.as());
  };

  it.each<[string, () => Fields, string]>([
    ['OpenAI-compatible', () => ({ OPENAI_AUDIO_BASE_URL: voices.baseUrl, secrets: { OPENAI_API_KEY: OWN } }), 'authorization'],
    ['ElevenLabs', () => ({ ELEVENLABS_BASE_URL: voices.origin, secrets: { ELEVENLABS_API_KEY: OWN } }), 'xi-api-key'],
  ])('that is %s synthesizes and transcribes with its key', async (_kind, settings, header) => {
    const id = await agent({ settings: { ...settings(), voice: 'one' } });
    expect((await speak(id)).status).toBe(200);
    expect(JSON.stringify((await listen(id)).body)).toContain('hello from the service');
    expect(voices.requests.map(({ headers }) => headers[header]?.toString().replace('Bearer ', ''))).toEqual([OWN, OWN]);
    expect(voices.requests[1]?.body.includes('RIFF')).toBe(true);
  });

  it.each(['OPENAI_AUDIO_BASE_URL', 'ELEVENLABS_BASE_URL'])(
    'at %s gets no other key, and is refused in a private network',
    async (setting) => {
      const id = await agent({ settings: { [setting]: setting.startsWith('OPENAI') ? voices.baseUrl : voices.origin, voice: 'one' } });
      expect((await speak(id)).status).toBe(200);
      expect(voices.requests.map(({ headers }) => [headers.authorization, headers['xi-api-key']])).toEqual([[undefined, undefined]]);
      app.data(await change(id, { settings: { [setting]: `http://${PRIVATE}:${(intern.address() as AddressInfo).port}` } }));
      for (const { status, body } of [await speak(id), await listen(id)]) {
        expect([status, body.error.code, reached]).toEqual([503, 'MODEL_UNAVAILABLE', []]);
        expect(body.error.message).toContain(`is not reachable at ${setting} of the agent`);
      }
    },
  );

  it("is the operator's, with the operator's key, when the agent has its own for chat only", async () => {
    const service = { OPENAI_BASE_URL: voices.baseUrl, secrets: { OPENAI_API_KEY: OWN } };
    const id = await agent({ settings: { ...service, speechProvider: 'openai', voice: 'one' } });
    expect((await speak(id)).status).toBe(200);
    expect([operatorsVoices, voices].map(({ requests }) => requests.map(({ headers }) => headers.authorization))).toEqual([
      [`Bearer ${OPERATORS.OPENAI_API_KEY}`],
      [],
    ]);
  });
});
