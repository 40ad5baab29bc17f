// Operation 4: POST /api/audio/{agentId}/audio-messages/synthesize, and operation 8 where the two are the same.
import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../src/core/errors/index.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectError } from '../support/expect-envelope.js';
import { Gate } from '../support/scripted-model.js';
import { scriptedSpeech } from '../support/scripted-speech-app.js';
import { SCRIPTED_VOICES } from '../support/scripted-speech.js';
import { contractApp, NOBODY, USER } from './support/contract-app.js';
import { audioOf, binary, type AudioResponse } from './support/audio-response.js';
import { badFields, goodFields, text, uuid, withField, ZERO_UUID, type Field, type Kind } from './support/kinds.js';
import { describePathId } from './support/describe-operation.js';

const voice: Kind = { wrong: text(255).wrong, right: SCRIPTED_VOICES.map(({ id }) => [`is ${id}`, id] as const) };
const language: Kind = {
  wrong: text(35).wrong,
  right: [
    ['is en', 'en'],
    ['is en-US', 'en-US'],
  ],
};
const format: Kind = {
  wrong: [
    ...text(10).wrong.filter(([, value]) => value !== 'x'.repeat(11)),
    ['is flac', 'flac'],
    ['is WAV', 'WAV'],
    ['is constructor', 'constructor'],
  ],
  right: [
    ['is wav', 'wav'],
    ['is mp3', 'mp3'],
    ['is mpeg', 'mpeg'],
    ['is ogg', 'ogg'],
  ],
};
const speed: Kind = {
  wrong: [
    ['is null', null],
    ['is text', '1'],
    ['is 0', 0],
    ['is 0.2', 0.2],
    ['is 4.1', 4.1],
    ['is negative', -1],
    ['is a list', [1]],
  ],
  right: [
    ['is 0.25', 0.25],
    ['is 1', 1],
    ['is 4', 4],
  ],
};
const number: Kind = {
  wrong: [
    ['is null', null],
    ['is text', '1'],
  ],
  right: [['is 1.5', 1.5]],
};
const options: Kind = {
  wrong: [
    ['is null', null],
    ['is text', 'anna'],
    ['is a number', 7],
    ['is true', true],
    ['is a list', [{ voice: 'anna' }]],
  ],
  right: [['is empty', {}]],
};

const BESIDE: Field[] = [
  [
    'text',
    {
      ...text(100_000),
      right: [
        ['is a word', 'Hello'],
        ['is of another script', 'Žluťoučký kůň'],
      ],
    },
    'required',
  ],
  ['voice', voice, 'optional'],
  ['language', language, 'optional'],
  ['format', format, 'optional'],
  ['speed', speed, 'optional'],
  ['options', options, 'optional'],
  ['options.voice', voice, 'optional'],
  ['options.language', language, 'optional'],
  ['options.format', format, 'optional'],
  ['options.speed', speed, 'optional'],
];
const OPERATIONS: [path: string, fields: Field[]][] = [
  ['audio-messages/synthesize', BESIDE],
  ['speech/generate', [...BESIDE, ['pitch', number, 'optional']]],
];

const SENTENCE = 'The quick brown fox jumps over the lazy dog.';
const TWO_SENTENCES = `${SENTENCE} Then it rests for a while in the shade.`;

describe.each(OPERATIONS)('POST /api/audio/{agentId}/%s', (path, fields) => {
  const app = contractApp({ SPEECH_MAX_CHARACTERS: '500' });
  const speech = scriptedSpeech(() => app.test);
  const { api } = app;
  const url = (agentId = ADA.id): string => `/api/audio/${agentId}/${path}`;
  const post = (body: unknown, agentId?: string): ReturnType<typeof api.post> =>
    api.post(url(agentId), body, { headers: { 'content-type': 'application/json' } });
  const speak = (body: unknown, ...rest: [headers?: Record<string, string>, onBytes?: () => void]): Promise<AudioResponse> =>
    binary(app.test.url + url(), body, ...rest);

  describe('responds with audio when [speech.synthesize] [speech.generate]', () => {
    it.each(goodFields(fields).filter(([name]) => name !== 'text is missing'))('%s', async (_name, field, value) => {
      speech.synthesizer.always();
      const answer = await speak(withField({ text: SENTENCE }, field, value));
      expect(answer.status).toBe(200);
      expect(audioOf(answer).seconds).toBeGreaterThan(0);
    });

    it('it has unknown keys, which are ignored', async () => {
      speech.synthesizer.always();
      expect((await speak({ text: SENTENCE, color: 1, constructor: 'x', toString: 'y' })).status).toBe(200);
    });
  });

  describe('refuses with 400 when', () => {
    it.each(badFields(fields))('%s', async (_name, field, value) => {
      const answer = await post(withField({ text: SENTENCE }, field, value));
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.message).toContain(field.split('.').at(-1));
    });

    it.each([
      ['there is no body', undefined],
      ['it is null', 'null'],
      ['it is a list', '[]'],
      ['it is text', '"text"'],
    ])('%s', async (_name, body) => {
      expectError(await post(body), 400, 'VALIDATION_ERROR');
    });

    it('it is not JSON', async () => {
      expectError(await post('{'), 400, 'INVALID_JSON');
    });

    it('the text is longer than the limit, which the error names', async () => {
      const answer = await post({ text: 'a'.repeat(501) });
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.message).toContain('500');
    });

    it('the text has nothing to speak', async () => {
      speech.synthesizer.speak();
      expectError(await post({ text: '🎉 *** …' }), 400, 'VALIDATION_ERROR');
    });

    it('the voice is unknown, and lists the available ones [speech.voices]', async () => {
      speech.synthesizer.speak();
      const answer = await post({ text: SENTENCE, voice: 'nobody' });
      expectError(answer, 400, 'UNKNOWN_VOICE');
      expect(answer.body.error.details).toContain('anna');
    });
  });

  it('refuses a language that the engine does not speak with 422 [speech.voices]', async () => {
    speech.synthesizer.speak();
    expectError(await post({ text: SENTENCE, language: 'de' }), 422, 'LANGUAGE_NOT_SUPPORTED');
  });

  it.each([
    ['the path before the agent and the body', 'x', {}, 400, 'INVALID_ID'],
    ['the agent before the body', NOBODY, {}, 404, 'AGENT_NOT_FOUND'],
    ['the body last', ADA.id, {}, 400, 'VALIDATION_ERROR'],
  ] as const)('checks %s [audio.order]', async (_name, agentId, body, status, code) => {
    expectError(await post(body, agentId), status, code);
  });

  describePathId('agentId', { send: (id) => post({ text: SENTENCE }, id), unknown: 'AGENT_NOT_FOUND' });

  it.each([
    ['AUDIO_BUSY', 503],
    ['MODEL_UNAVAILABLE', 503],
    ['SERVER_STOPPING', 503],
  ] as const)('passes on the error %s of an engine', async (code, status) => {
    speech.synthesizer.fail(new AppError(code, 'Not now.', 'Later.').retryAfter(7));
    const answer = await post({ text: SENTENCE });
    expectError(answer, status, code);
    expect(answer.headers.get('retry-after')).toBe('7');
  });

  it("hides the cause of an engine's failure behind a 500", async () => {
    speech.synthesizer.fail(new TypeError("Cannot read properties of undefined (reading 'wasm')"));
    expectError(await post({ text: SENTENCE }), 500, 'INTERNAL_ERROR');
  });

  it('returns WAV by default, with length and timings and without caching', async () => {
    speech.synthesizer.speak();
    const answer = await speak({ text: SENTENCE });
    const { headers, bytes } = answer;
    expect(headers).toMatchObject({ 'content-type': 'audio/wav', 'content-length': String(bytes.length), 'cache-control': 'no-store' });
    expect(headers['server-timing']).toMatch(/synthesis;dur=\d+, total;dur=\d+/);
    expect(audioOf(answer)).toEqual({ type: 'audio/wav', seconds: SENTENCE.length / 100, declaredSeconds: SENTENCE.length / 100 });
  });

  it('streams several sentences in order', async () => {
    speech.synthesizer.speak();
    const answer = await speak({ text: TWO_SENTENCES });
    expect(answer.headers['content-length']).toBeUndefined();
    expect(answer.headers['transfer-encoding']).toBe('chunked');
    // The blank between the sentences is not said.
    expect(audioOf(answer).seconds).toBeCloseTo((TWO_SENTENCES.length - 1) / 100);
  });

  it('sends the first sentence before the last one is spoken', async () => {
    const gate = new Gate();
    speech.synthesizer.speak({ gate });
    gate.release();
    // The second is not spoken before the first has been heard.
    const answer = await speak({ text: TWO_SENTENCES }, {}, () => gate.open());
    expect(answer.complete).toBe(true);
  });

  it('cuts the response, rather than ending it early, when the engine fails midway', async () => {
    const gate = new Gate();
    speech.synthesizer.fail(new Error('the engine is gone'), { after: 1, gate });
    const answer = await speak({ text: TWO_SENTENCES }, {}, () => gate.open());
    expect(answer).toMatchObject({ status: 200, complete: false });
  });

  it('stops the engine when the client disconnects', async () => {
    speech.synthesizer.stall();
    const leave = new AbortController();
    const asking = api.post(url(), { text: SENTENCE }, { signal: leave.signal });
    await speech.synthesizer.called();
    const { signal } = speech.synthesizer.requests[0]!;
    const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve));
    leave.abort();
    await expect(asking).rejects.toThrow();
    await stopped;
  });

  it.each([
    ['application/json', undefined, 'audio/wav'],
    ['*/*', undefined, 'audio/wav'],
    ['audio/*', undefined, 'audio/wav'],
    ['audio/flac', undefined, 'audio/wav'],
    ['audio/mpeg', undefined, 'audio/mpeg'],
    ['audio/mp3', undefined, 'audio/mpeg'],
    ['audio/ogg;codecs=vorbis', undefined, 'audio/ogg'],
    ['audio/wav;q=0.5, audio/mpeg', undefined, 'audio/mpeg'],
    ['audio/mpeg', 'ogg', 'audio/ogg'],
    ['application/json', 'mp3', 'audio/mpeg'],
  ])('under Accept: %s and the format %s answers %s [speech.format]', async (accept, named, type) => {
    speech.synthesizer.speak();
    const answer = await speak({ text: SENTENCE, ...(named === undefined ? {} : { format: named }) }, { accept });
    expect(answer.headers['content-type']).toBe(type);
    expect(audioOf(answer).type).toBe(type);
  });

  it('prefers the options to the fields beside the text [speech.options]', async () => {
    speech.synthesizer.speak();
    const answer = await speak({ text: SENTENCE, voice: 'anna', format: 'mp3', options: { voice: 'ben', format: 'ogg' } });
    expect(speech.synthesizer.requests[0]?.voice).toBe('ben');
    expect(audioOf(answer).type).toBe('audio/ogg');
  });

  it("speaks with the agent's own voice by default [speech.synthesize]", async () => {
    speech.synthesizer.speak().speak();
    await speak({ text: SENTENCE });
    await speak({ text: SENTENCE, voice: 'ben', speed: 2, language: 'en' });
    expect(speech.synthesizer.requests.map(({ voice: named, speed: pace, language: tag }) => [named, pace, tag])).toEqual([
      [undefined, undefined, undefined],
      ['ben', 2, 'en'],
    ]);
  });
});

describe('POST /api/audio/{agentId}/audio-messages/synthesize', () => {
  const app = contractApp();
  const speech = scriptedSpeech(() => app.test);
  const post = (body: object): Promise<AudioResponse> => binary(`${app.test.url}/api/audio/${ADA.id}/audio-messages/synthesize`, body);
  const json = (body: object): ReturnType<typeof app.api.post> => app.api.post(`/api/audio/${ADA.id}/audio-messages/synthesize`, body);

  it('speaks a stored message of a channel of the agent', async () => {
    const channel = await app.newChannel();
    app.test.model.reply('Yes.');
    const { id } = await app.say(channel.id, SENTENCE);
    speech.synthesizer.speak();
    expect(audioOf(await post({ messageId: id.toUpperCase() })).seconds).toBe(SENTENCE.length / 100);
    expect(speech.synthesizer.requests[0]?.text).toBe(SENTENCE);
  });

  it('refuses a message of a channel without the agent', async () => {
    const channel = await app.newChannel({ participants: [USER] });
    const { id } = await app.say(channel.id, SENTENCE);
    expectError(await json({ messageId: id }), 404, 'MESSAGE_NOT_FOUND');
    expectError(await json({ messageId: ZERO_UUID }), 404, 'MESSAGE_NOT_FOUND');
  });

  it.each(uuid.wrong)('refuses a messageId that %s', async (_words, messageId) => {
    expectError(await json({ messageId }), 400, 'VALIDATION_ERROR');
  });

  it('refuses a text together with a message [speech.options]', async () => {
    expectError(await json({ messageId: ZERO_UUID, text: 'Hello' }), 400, 'VALIDATION_ERROR');
  });
});

describe("an agent's own voice", () => {
  const app = contractApp(
    {},
    {
      characters: [
        { name: ADA.name, bio: 'Ada.', settings: { voice: { model: 'ben', language: 'en-GB', speed: 1.5 } } },
        { name: BOB.name, bio: 'Bob.', settings: { voice: 'anna' } },
      ],
    },
  );
  const speech = scriptedSpeech(() => app.test);

  it.each([
    [ADA, { preferredVoice: 'ben', language: 'en-GB', speed: 1.5 }],
    [BOB, { preferredVoice: 'anna', language: undefined, speed: undefined }],
  ])('is that of $name', async ({ id }, expected) => {
    speech.synthesizer.speak();
    await binary(`${app.test.url}/api/audio/${id}/speech/generate`, { text: SENTENCE });
    expect(speech.synthesizer.requests[0]).toMatchObject(expected);
  });

  it('is among the listed voices', async () => {
    const { body } = await app.api.get(`/api/audio/${ADA.id}/voices`);
    expect(body.data).toEqual({
      provider: 'scripted',
      engine: 'hum',
      languages: ['en'],
      agentVoice: 'ben',
      voices: SCRIPTED_VOICES.map((voice_) => ({ ...voice_ })),
    });
  });

  describePathId('agentId', { send: (id) => app.api.get(`/api/audio/${id}/voices`), unknown: 'AGENT_NOT_FOUND' });
});
