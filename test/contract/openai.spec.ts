// OpenAI's protocol: models, embeddings, speech, transcriptions, and what every operation of it refuses.
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ModelRegistry } from '../../src/providers/models/index.js';
import { wavFile } from '../../src/providers/speech/index.js';
import { ADA, BOB } from '../support/create-test-app.js';
import type { ApiResponse } from '../support/api-client.js';
import { FakeEmbedding } from '../support/fake-embedding.js';
import { scriptedSpeech } from '../support/scripted-speech-app.js';
import { form as formWith } from '../support/uploads.js';
import { contractApp, NOBODY } from './support/contract-app.js';

const SECOND = Buffer.from(wavFile([{ samples: new Int16Array(16_000), sampleRate: 16_000 }]));
const EMBEDDINGS = '/v1/embeddings';
const SPEECH = '/v1/audio/speech';
const TRANSCRIPTIONS = '/v1/audio/transcriptions';
/** What clients require of a segment, and no engine reports. */
const UNREPORTED = { seek: 0, tokens: [], temperature: 0, avg_logprob: 0, compression_ratio: 1, no_speech_prob: 0 };

/** The error of a response, which has to be complete. @returns status, code and param */
function refusal({ status, body, headers }: ApiResponse): unknown[] {
  const { message, type, param, code } = body.error;
  expect(body).toEqual({ error: { message, type, param, code } });
  expect([message, type]).toEqual([expect.stringMatching(/\S/), expect.stringMatching(/_error$/)]);
  expect(headers.get('x-request-id')).not.toBeNull();
  return [status, code, param];
}

describe('GET /v1/models', () => {
  const app = contractApp();
  const { api } = app;
  let stopped: { id: string; name: string };

  beforeAll(async () => {
    const { body } = await api.post('/api/agents', { characterJson: { name: 'Grace Hopper', bio: 'New.' } });
    stopped = body.data;
  });

  it('lists the agents under their names, with what OpenAI and Parley say of each', async () => {
    const { status, body } = await api.get('/v1/models');
    expect(status).toBe(200);
    expect(body.object).toBe('list');
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['Ada', 'Bob', 'Grace Hopper']);
    expect(body.models).toEqual(body.data);
    expect(body.data[0]).toEqual({
      id: 'Ada',
      object: 'model',
      created: expect.any(Number),
      owned_by: 'parley',
      parley: { agentId: ADA.id, name: 'Ada', status: 'active' },
    });
    expect(body.data[0].created).toBeLessThan(1e11);
    expect(body.data[2].parley.status).toBe('inactive');
  });

  it("answers clients of Anthropic in Anthropic's form", async () => {
    const headers = { 'anthropic-version': '2023-06-01' };
    const model = { type: 'model', id: 'Ada', display_name: 'Ada', created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) };
    const { body } = await api.get('/v1/models', { headers });
    expect(body).toMatchObject({ has_more: false, first_id: 'Ada', last_id: 'Grace Hopper' });
    expect(body.data[0]).toEqual(model);
    expect((await api.get('/v1/models/ada', { headers })).body).toEqual(model);
  });

  it.each([['Ada'], ['ada'], [ADA.id], [ADA.id.toUpperCase()]])('finds an agent as %s', async (name) => {
    const { status, body } = await api.get(`/v1/models/${name}`);
    expect([status, body.id, body.parley.agentId]).toEqual([200, 'Ada', ADA.id]);
  });

  it('finds an agent that does not run, too', async () => {
    expect((await api.get('/v1/models/grace%20hopper')).body.parley.agentId).toBe(stopped.id);
  });

  it.each(['nobody', NOBODY, 'gpt-5', '%00'])('reports an unknown model: %s', async (name) => {
    expect(refusal(await api.get(`/v1/models/${name}`))).toEqual([404, 'model_not_found', 'model']);
  });

  it('says of an unknown path that it is unknown', async () => {
    expect(refusal(await api.get('/v1/nothing'))).toEqual([404, 'not_found', null]);
  });
});

describe('agents with names that differ in letter case only', () => {
  const same = [
    { id: '44444444-4444-4444-4444-444444444444', name: 'Mia', bio: 'One.' },
    { id: '55555555-5555-5555-5555-555555555555', name: 'MIA', bio: 'Two.' },
  ];
  const { api } = contractApp({}, { characters: same });
  const ids = same.map(({ id }) => id);

  it('have their ids as models', async () => {
    const { body } = await api.get('/v1/models');
    expect(body.data.map(({ id }: { id: string }) => id).sort()).toEqual(ids);
  });

  it('are not guessed', async () => {
    expect((await api.get('/v1/models/MIA')).body.parley.agentId).toBe(ids[1]);
    expect(refusal(await api.get('/v1/models/mia'))).toEqual([404, 'model_not_found', 'model']);
  });
});

describe('POST /v1/embeddings', () => {
  const app = contractApp();
  const { api } = app;
  const model = new FakeEmbedding();
  const embed = (body: object): Promise<ApiResponse> => {
    jest.spyOn(app.test.app.get(ModelRegistry), 'embeddings').mockReturnValue(model);
    return api.post(EMBEDDINGS, body);
  };

  it('returns the vectors of the texts in their order', async () => {
    const { status, body } = await embed({ model: 'Ada', input: ['green tea', 'black coffee'] });
    expect([status, body.object, body.model]).toEqual([200, 'list', 'fake-1']);
    expect(body.data.map(({ object, index }: { object: string; index: number }) => [object, index])).toEqual([
      ['embedding', 0],
      ['embedding', 1],
    ]);
    expect(body.data[0].embedding).toHaveLength(128);
    expect(body.usage.total_tokens).toBe(body.usage.prompt_tokens);
    expect(body.usage.total_tokens).toBeGreaterThan(2);
  });

  it('returns the same vector as little-endian floats in base64', async () => {
    const [floats, text] = await Promise.all(
      ['float', 'base64'].map(
        async (encoding_format) => (await embed({ model: 'Ada', input: 'tea', encoding_format })).body.data[0].embedding,
      ),
    );
    const bytes = Buffer.from(text as string, 'base64');
    expect(Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(4 * index))).toEqual(floats);
  });

  it.each([
    ['the model of the server', { model: 'fake-1' }],
    ['the id of an agent', { model: ADA.id }],
    ['one text in a list', { input: ['tea'] }],
    ['the number of dimensions that it has', { dimensions: 128 }],
    ['a user', { user: 'someone' }],
    ['nothing in every optional field', { encoding_format: null, dimensions: null, user: null, more: null }],
    ['a long text', { input: 'tea '.repeat(8000) }],
    ['2,048 texts', { input: Array.from({ length: 2048 }, (_, index) => `tea ${index}`) }],
  ])('accepts %s', async (_what, body) => {
    expect((await embed({ model: 'Ada', input: 'tea', ...body })).status).toBe(200);
  });

  it.each([
    ['no text', { input: undefined }, 'input'],
    ['a blank text', { input: ' ' }, 'input'],
    ['a blank text in a list', { input: ['tea', ''] }, 'input'],
    ['an empty list', { input: [] }, 'input'],
    ['token ids', { input: [1, 2] }, 'input'],
    ['lists of token ids', { input: [[1, 2]] }, 'input'],
    ['2,049 texts', { input: Array.from({ length: 2049 }, () => 'tea') }, 'input'],
    ['a text that is too long', { input: 'a'.repeat(32_001) }, 'input'],
    ['too much text', { input: Array.from({ length: 20 }, () => 'a'.repeat(30_000)) }, 'input'],
    ['NUL', { input: 'a\0b' }, 'input'],
    ['no model', { model: undefined }, 'model'],
    ['another encoding', { encoding_format: 'int8' }, 'encoding_format'],
    ['fewer dimensions', { dimensions: 64 }, 'dimensions'],
    ['a field that nothing reads', { truncate: true }, 'truncate'],
    ['a user that is no text', { user: 7 }, 'user'],
  ])('refuses %s by name', async (_what, body, param) => {
    expect(refusal(await embed({ model: 'Ada', input: 'tea', ...body }))).toEqual([400, 'validation_error', param]);
  });

  it('reports an unknown model', async () => {
    expect(refusal(await embed({ model: 'text-embedding-3-small', input: 'tea' }))).toEqual([404, 'model_not_found', 'model']);
  });

  it('reports that the server has no embedding model', async () => {
    jest.spyOn(app.test.app.get(ModelRegistry), 'embeddings').mockReturnValue(undefined);
    const answer = await api.post(EMBEDDINGS, { model: 'Ada', input: 'tea' });
    expect(refusal(answer)).toEqual([503, 'model_unavailable', null]);
    expect(answer.body.error.message).toContain('EMBEDDING_PROVIDER');
  });

  it.each([
    ['half of an object', '{"a":', 400, 'invalid_json'],
    ['a list', '[]', 400, 'validation_error'],
  ])('refuses %s', async (_what, body, status, code) => {
    const answer = await api.send('POST', EMBEDDINGS, body, { headers: { 'content-type': 'application/json' } });
    expect(refusal(answer)).toEqual([status, code, null]);
  });
});

describe('POST /v1/audio/speech', () => {
  const app = contractApp({ SPEECH_MAX_CHARACTERS: '40' });
  const speech = scriptedSpeech(() => app.test);
  const { api } = app;
  const speak = (body: object): Promise<ApiResponse> => api.post(SPEECH, { model: 'Ada', input: 'Good morning.', ...body });

  it.each([
    ['MP3 by default', {}, 'audio/mpeg'],
    ['MP3', { response_format: 'mp3', voice: 'ben', speed: 1.5 }, 'audio/mpeg'],
    ['WAV', { response_format: 'wav' }, 'audio/wav'],
    ['samples', { response_format: 'pcm' }, 'audio/pcm'],
    ['in the voice of an agent that its id names', { model: BOB.id }, 'audio/mpeg'],
    ['for a model of OpenAI', { model: 'tts-1-hd' }, 'audio/mpeg'],
    ['for another model of OpenAI', { model: 'gpt-4o-mini-tts' }, 'audio/mpeg'],
    ['without what asks for nothing', { instructions: '', stream_format: 'audio', voice: null, more: null }, 'audio/mpeg'],
  ])('speaks %s', async (_what, body, type) => {
    speech.synthesizer.speak();
    const { status, headers } = await speak(body);
    expect([status, headers.get('content-type')]).toEqual([200, type]);
  });

  it('sends samples at 24 kHz', async () => {
    speech.synthesizer.speak();
    const response = await fetch(`${app.test.url}${SPEECH}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'Ada', input: 'Good morning.', response_format: 'pcm' }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    // The scripted voice has 10 ms for each character.
    expect(Math.abs(bytes.length / 2 - 24_000 * 0.13)).toBeLessThan(50);
    expect(Math.max(...new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1))).toBeGreaterThan(7000);
  });

  it.each([
    ['no text', { input: undefined }, 'input'],
    ['blank text', { input: ' ' }, 'input'],
    ['text that is too long', { input: 'a'.repeat(41) }, 'input'],
    ['no model', { model: undefined }, 'model'],
    ['Opus', { response_format: 'opus' }, 'response_format'],
    ['a speed that is too high', { speed: 5 }, 'speed'],
    ['instructions', { instructions: 'Whisper.' }, 'instructions'],
    ['events', { stream_format: 'sse' }, 'stream_format'],
    ['a voice that is no text', { voice: { id: 'x' } }, 'voice'],
    ['a field that nothing reads', { emotion: 'glad' }, 'emotion'],
  ])('refuses %s by name', async (_what, body, param) => {
    expect(refusal(await speak(body))).toEqual([400, 'validation_error', param]);
  });

  it('refuses an unknown voice by name', async () => {
    speech.synthesizer.speak();
    expect(refusal(await speak({ voice: 'nobody' }))).toEqual([400, 'unknown_voice', 'voice']);
  });

  it('refuses a text without words by name', async () => {
    speech.synthesizer.speak();
    expect(refusal(await speak({ input: '🙂 …' }))).toEqual([400, 'validation_error', 'input']);
  });

  it('says which formats it has', async () => {
    expect((await speak({ response_format: 'flac' })).body.error.message).toContain('mp3, wav, pcm');
  });

  it('reports unknown agents, and says how to start a stopped one', async () => {
    expect(refusal(await speak({ model: 'nobody' }))).toEqual([404, 'model_not_found', 'model']);
    await api.post(`/api/agents/${BOB.id}/stop`);
    const answer = await speak({ model: 'Bob' });
    expect(refusal(answer)).toEqual([503, 'agent_stopped', 'model']);
    expect(answer.body.error.message).toContain(`POST /api/agents/${BOB.id}/start`);
    await api.post(`/api/agents/${ADA.id}/stop`);
    expect(refusal(await speak({ model: 'tts-1' }))).toEqual([503, 'agent_stopped', 'model']);
    for (const { id } of [ADA, BOB]) await api.post(`/api/agents/${id}/start`);
  });
});

describe('POST /v1/audio/transcriptions', () => {
  const app = contractApp();
  const speech = scriptedSpeech(() => app.test);
  const { api } = app;
  const upload = (fields: Record<string, string> = {}): Promise<ApiResponse> => {
    const data = formWith(SECOND, 'a.wav', 'audio/wav');
    for (const [name, value] of Object.entries({ model: 'Ada', ...fields })) data.append(name, value);
    return api.send('POST', TRANSCRIPTIONS, data);
  };

  it.each([
    ['json', {}, { text: 'hello there' }],
    ['an engine of OpenAI', { model: 'whisper-1', language: 'en' }, { text: 'hello there' }],
    ['another engine of OpenAI', { model: 'gpt-4o-mini-transcribe' }, { text: 'hello there' }],
    ['what asks for nothing', { prompt: '', temperature: '0', stream: 'false' }, { text: 'hello there' }],
    [
      'verbose_json',
      { response_format: 'verbose_json', 'timestamp_granularities[]': 'segment' },
      {
        task: 'transcribe',
        language: 'en',
        duration: 2,
        text: 'hello there',
        segments: [
          { id: 0, start: 0, end: 1, text: 'hello', ...UNREPORTED },
          { id: 1, start: 1, end: 2, text: 'there', ...UNREPORTED },
        ],
      },
    ],
    ['text', { response_format: 'text' }, 'hello there\n'],
    ['srt', { response_format: 'srt' }, '1\n00:00:00,000 --> 00:00:02,000\nhello there\n\n'],
    ['vtt', { response_format: 'vtt' }, 'WEBVTT\n\n00:00:00.000 --> 00:00:02.000\nhello there\n\n'],
  ])('returns the text with %s', async (_what, fields, expected) => {
    speech.transcriber.hear('hello there');
    const { status, body } = await upload(fields);
    expect([status, body]).toEqual([200, expected]);
  });

  it.each([
    ['a hint', { prompt: 'Tea.' }, 'prompt'],
    ['variation', { temperature: '0.7' }, 'temperature'],
    ['a stream', { stream: 'true' }, 'stream'],
    ['times of words', { 'timestamp_granularities[]': 'word' }, 'timestamp_granularities'],
    ['another format', { response_format: 'diarized_json' }, 'response_format'],
    ['a field that nothing reads', { 'include[]': 'logprobs' }, 'include'],
    ['no model', { model: '' }, 'model'],
  ])('refuses %s by name', async (_what, fields, param) => {
    expect(refusal(await upload(fields))).toEqual([400, 'validation_error', param]);
  });

  it('refuses a form without a file, and a body that is none', async () => {
    const data = new FormData();
    data.append('model', 'Ada');
    expect(refusal(await api.send('POST', TRANSCRIPTIONS, data))).toEqual([400, 'validation_error', 'file']);
    expect(refusal(await api.post(TRANSCRIPTIONS, { model: 'Ada' }))).toEqual([415, 'unsupported_media_type', null]);
    expect(refusal(await upload({ model: 'nobody' }))).toEqual([404, 'model_not_found', 'model']);
  });
});
