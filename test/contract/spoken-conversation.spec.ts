// POST /api/audio/{agentId}/speech/conversation, and the three operations that are the same with a recording.
import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../src/core/errors/index.js';
import { newId } from '../../src/core/ids/index.js';
import { wavFile } from '../../src/providers/speech/index.js';
import { ADA } from '../support/create-test-app.js';
import { expectData, expectError } from '../support/expect-envelope.js';
import { Gate } from '../support/scripted-model.js';
import { scriptedSpeech } from '../support/scripted-speech-app.js';
import { audioOf, binary, type AudioResponse } from './support/audio-response.js';
import { CHANNELS, contractApp, NOBODY, USER } from './support/contract-app.js';
import { describePathId } from './support/describe-operation.js';
import { badFields, text, uuid, withField, type Field } from './support/kinds.js';

const REPLY = 'I am very well, thank you. And how are you on this fine day?';
const SECONDS = (REPLY.length - 1) / 100;
const RECORDING = Uint8Array.from(wavFile([{ samples: new Int16Array(16_000), sampleRate: 16_000 }]));

const FIELDS: Field[] = [
  ['text', text(100_000), 'required'],
  ['channelId', uuid, 'optional'],
  ['roomId', text(255), 'optional'],
  ['userId', uuid, 'optional'],
  ['entityId', text(255), 'optional'],
  ['userName', text(255), 'optional'],
  ['name', text(255), 'optional'],
  ['clientMessageId', text(255), 'optional'],
  ['voice', text(255), 'optional'],
  ['language', text(35), 'optional'],
];

describe('a spoken conversation', () => {
  const app = contractApp();
  const speech = scriptedSpeech(() => app.test);
  const { api } = app;
  const url = (path: string, agentId = ADA.id): string => `/api/audio/${agentId}/${path}`;

  describe('that begins with a text (POST speech/conversation with JSON)', () => {
    const post = (body: unknown, agentId?: string): ReturnType<typeof api.post> =>
      api.post(url('speech/conversation', agentId), body, { headers: { 'content-type': 'application/json' } });
    const talk = (body: object, ...rest: [headers?: Record<string, string>, onBytes?: () => void]): Promise<AudioResponse> =>
      binary(app.test.url + url('speech/conversation'), body, ...rest);

    it('returns audio, for any Accept header, and stores both messages in the channel that the response names', async () => {
      app.test.model.reply(REPLY);
      speech.synthesizer.always();
      const answer = await talk({ text: 'How are you?' }, { accept: 'application/json' });
      expect(answer.status).toBe(200);
      expect(audioOf(answer).seconds).toBeCloseTo(SECONDS);
      const { 'x-channel-id': channelId, 'x-message-id': messageId, 'x-entity-id': entityId } = answer.headers;
      expect(answer.headers['server-timing']).toMatch(/turn;dur=\d+, synthesis;dur=\d+, total;dur=\d+/);
      const [reply, said] = await app.messages(String(channelId));
      expect(reply).toMatchObject({ content: REPLY, isAgent: true, authorId: ADA.id });
      expect(said).toMatchObject({ id: messageId, content: 'How are you?', authorId: entityId, sourceType: 'audio' });
    });

    it('speaks a sentence as soon as it is generated', async () => {
      const gate = new Gate();
      app.test.model.deltas(['The first sentence is short. ', 'The second one is ', 'rather a little longer.'], { gate });
      speech.synthesizer.always();
      const talking = talk({ text: 'Tell me.' });
      gate.release(2);
      await app.test.model.called();
      // The journal gets deltas in batches: the clock has to move for one.
      while (speech.synthesizer.requests.length === 0) {
        app.clock.advance(1);
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(speech.synthesizer.requests.map(({ text: said }) => said)).toEqual(['The first sentence is short.']);
      gate.open();
      expect((await talking).complete).toBe(true);
      expect(speech.synthesizer.requests).toHaveLength(2);
    });

    it('continues in the same channel, by its id or by any text [voice.channel]', async () => {
      app.test.model.reply('One.').reply('Two.').reply('Three.');
      speech.synthesizer.always();
      const first = await talk({ text: 'a', roomId: 'my room', entityId: 'Bo' });
      const second = await talk({ text: 'b', roomId: 'my room', entityId: 'Bo' });
      const third = await talk({ text: 'c', channelId: first.headers['x-channel-id'], userId: first.headers['x-entity-id'] });
      expect([second, third].map(({ headers }) => headers['x-channel-id'])).toEqual([1, 2].map(() => first.headers['x-channel-id']));
      expect((await app.messages(String(first.headers['x-channel-id']))).map(({ content }) => content)).toHaveLength(6);
      expect(second.headers['x-entity-id']).toBe(first.headers['x-entity-id']);
    });

    it('uses the last of several messages [voice.conversation]', async () => {
      app.test.model.reply('Yes.');
      speech.synthesizer.always();
      await talk({
        messages: [
          { text: 'earlier', speaker: 'user' },
          { text: 'now', speaker: 'user' },
        ],
      });
      expect(app.test.model.requests.at(-1)?.messages.at(-1)).toMatchObject({ content: 'now' });
      expectError(await post({ messages: [] }), 400, 'VALIDATION_ERROR');
      expectError(await post({ messages: [{}] }), 400, 'VALIDATION_ERROR');
      expectError(await post({ text: 'x', messages: [{ text: 'y' }] }), 400, 'VALIDATION_ERROR');
    });

    it('is 204 when the agent chooses silence', async () => {
      app.test.model.reply('');
      const { id: channelId } = await app.newChannel();
      const answer = await talk({ text: 'Hm.', channelId });
      expect(answer).toMatchObject({ status: 204, bytes: Buffer.alloc(0) });
      expect(answer.headers['x-channel-id']).toBeDefined();
    });

    it('reports why there is no reply', async () => {
      app.test.model.fail(new AppError('MODEL_UNAVAILABLE', 'The model is away.', 'Try again.'));
      expectError(await post({ text: 'Hello' }), 503, 'MODEL_UNAVAILABLE');
    });

    it('cuts the response, rather than ending it early, when the engine fails midway', async () => {
      app.test.model.reply(REPLY);
      const heard = new Gate();
      speech.synthesizer.speak().fail(new Error('the engine is gone'), { gate: heard });
      const answer = await talk({ text: 'How are you?' }, {}, () => heard.open());
      expect(answer).toMatchObject({ status: 200, complete: false });
      expect(answer.bytes.length).toBeGreaterThan(44);
    });

    it.each(badFields(FIELDS))('is refused when %s', async (_name, field, value) => {
      const answer = await post(withField({ text: 'Hello' }, field, value));
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.message).toContain(field);
    });

    it.each([
      ['there is no body', undefined, 400, 'VALIDATION_ERROR'],
      ['it is a list', '[]', 400, 'VALIDATION_ERROR'],
      ['it is not JSON', '{', 400, 'INVALID_JSON'],
    ] as const)('is refused when %s', async (_name, body, status, code) => {
      expectError(await post(body), status, code);
    });

    it('is refused for any other media type', async () => {
      const answer = await api.send('POST', url('speech/conversation'), 'text', { headers: { 'content-type': 'text/plain' } });
      expectError(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
    });

    describePathId('agentId', { send: (id) => post({ text: 'Hello' }, id), unknown: 'AGENT_NOT_FOUND' });
  });

  describe.each([
    ['speech/conversation', { said: 'transcription', reply: 'text', audio: 'audio' }],
    ['speech', { said: 'transcription', reply: 'text', audio: 'audio' }],
    ['audio-messages', { said: 'transcription', reply: 'message', audio: 'audio' }],
    ['process-audio', { said: 'text', reply: 'response', audio: 'audioResponse' }],
  ])('that begins with a recording (POST %s)', (path, keys) => {
    const upload = (
      fields: Record<string, string> = {},
      agentId?: string,
      file: Uint8Array<ArrayBuffer> = RECORDING,
    ): ReturnType<typeof api.send> => {
      const form = new FormData();
      form.append('file', new Blob([file]), 'blob');
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      return api.send('POST', url(path, agentId), form);
    };

    it('returns the recognised text, the reply and its audio', async () => {
      const channelId = newId();
      app.test.model.reply(REPLY);
      speech.transcriber.hear('how are you');
      speech.synthesizer.always();
      const data = expectData(await upload({ userId: USER, channelId, metadata: '{"device":"phone"}' }));
      expect(data).toMatchObject({
        [keys.said]: 'how are you',
        [keys.reply]: REPLY,
        didRespond: true,
        mediaType: 'audio/wav',
        channelId,
        userId: USER,
        timings: { transcription: 0, turn: 0, synthesis: 0, total: 0 },
      });
      expect(data.duration).toBeCloseTo(SECONDS);
      const { seconds, declaredSeconds } = audioOf({ bytes: Buffer.from(data[keys.audio], 'base64') });
      expect([seconds, declaredSeconds]).toEqual([SECONDS, SECONDS].map((expected) => expect.closeTo(expected)));
      const [reply, said] = await app.messages(channelId);
      expect(reply).toMatchObject({ id: data.replyId, content: REPLY, inReplyToRootMessageId: data.messageId });
      expect(said).toMatchObject({ id: data.messageId, content: 'how are you', authorId: USER });
      expect(said.metadata).toMatchObject({ device: 'phone', transcription: { engine: 'ear', language: 'en', durationSeconds: 3 } });
    });

    it('posts a repeated recording only once', async () => {
      const channelId = newId();
      app.test.model.reply('Once.');
      speech.transcriber.hear('again').hear('again');
      speech.synthesizer.always();
      const fields = { userId: USER, channelId, clientMessageId: 'one' };
      const first = expectData(await upload(fields));
      const second = expectData(await upload(fields));
      expect([second.messageId, second.replyId, second[keys.reply]]).toEqual([first.messageId, first.replyId, 'Once.']);
      expect(await app.messages(channelId)).toHaveLength(2);
    });

    it('stores nothing for silence', async () => {
      speech.transcriber.hear('');
      const channelId = newId();
      expect(expectData(await upload({ channelId }))).toMatchObject({
        [keys.said]: '',
        [keys.reply]: '',
        [keys.audio]: '',
        didRespond: false,
        messageId: null,
        replyId: null,
      });
      expectError(await api.get(`${CHANNELS}/${channelId}/messages`), 404, 'CHANNEL_NOT_FOUND');
    });

    it('returns the requested format [voice.conversation]', async () => {
      app.test.model.reply('Well.');
      speech.transcriber.hear('how');
      speech.synthesizer.always();
      const data = expectData(await upload({ responseFormat: 'mp3', format: 'webm' }));
      expect(data.mediaType).toBe('audio/mpeg');
      expect(audioOf({ bytes: Buffer.from(data[keys.audio], 'base64') }).type).toBe('audio/mpeg');
    });

    it.each([
      ['userId', 'nobody'],
      ['channelId', 'nowhere'],
      ['metadata', '[]'],
      ['metadata', '{'],
      ['responseFormat', 'flac'],
      ['language', ''],
    ])('refuses the %s "%s"', async (field, value) => {
      const answer = await upload({ [field]: value });
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.message).toContain(field);
    });

    it('passes on errors of the engines and of the model', async () => {
      speech.transcriber.fail(new AppError('UNSUPPORTED_MEDIA_TYPE', 'No audio.', 'Send audio.'));
      expectError(await upload(), 415, 'UNSUPPORTED_MEDIA_TYPE');
      speech.transcriber.hear('hello');
      app.test.model.fail(new AppError('MODEL_UNAVAILABLE', 'Away.', 'Later.'));
      expectError(await upload(), 503, 'MODEL_UNAVAILABLE');
      speech.transcriber.hear('hello');
      app.test.model.reply('Hello.');
      speech.synthesizer.fail(new AppError('AUDIO_BUSY', 'Busy.', 'Later.').retryAfter(3));
      expectError(await upload(), 503, 'AUDIO_BUSY');
    });

    it('refuses an empty recording and unknown agents', async () => {
      expectError(await upload({}, undefined, new Uint8Array()), 400, 'VALIDATION_ERROR');
      expectError(await upload({}, NOBODY), 404, 'AGENT_NOT_FOUND');
      expectError(await upload({}, 'x'), 400, 'INVALID_ID');
    });
  });
});
