// A conversation by voice over a socket: chunks of a recording in, sentences of the answer out.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/core/ids/index.js';
import { AppError } from '../../src/core/errors/index.js';
import { RecordingMemory } from '../../src/modules/audio/index.js';
import { ApiClient } from '../support/api-client.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { Gate } from '../support/scripted-model.js';
import { scriptedSpeech } from '../support/scripted-speech-app.js';
import { SocketClient } from '../support/socket-client.js';

const USER = '11111111-1111-1111-1111-111111111111';
const LIMIT = 100_000;
const FIRST = 'This is the first sentence.';
const SECOND = 'And here comes the second one.';

describe('a client that speaks over a socket', () => {
  let test: TestApp;
  let client: SocketClient;
  let channelId: string;
  const api = new ApiClient(() => test.url);
  beforeAll(async () => {
    test = await createTestApp({ env: { AUDIO_MAX_BYTES: String(LIMIT), AUDIO_BUFFER_BYTES: String(2 * LIMIT) } });
  });
  const speech = scriptedSpeech(() => test);
  beforeEach(async () => {
    channelId = newId();
    client = await SocketClient.connect(test.url, { auth: { entityId: USER } });
  });
  afterEach(() => {
    client.close();
    test.model.assertDone();
  });
  afterAll(() => test.close());

  const start = (extra: object = {}): ReturnType<SocketClient['ask']> => client.ask('audioStart', { channelId, agentId: ADA.id, ...extra });
  const chunk = (bytes: Uint8Array = Buffer.from('sound')): ReturnType<SocketClient['ask']> => client.ask('audioChunk', bytes);
  const end = (): ReturnType<SocketClient['ask']> => client.ask('audioEnd');
  /** One utterance from its beginning to its end. */
  const utter = async (extra: object = {}): ReturnType<SocketClient['ask']> => {
    await start(extra);
    await chunk();
    return end();
  };
  const stored = async (): Promise<string[]> =>
    (await api.get(`/api/messaging/channels/${channelId}/messages`)).body.data.messages.map(({ content }: { content: string }) => content);
  const used = (): number => test.app.get(RecordingMemory).used;

  it('has its speech recognised, and receives the reply like other clients', async () => {
    speech.transcriber.hear('how are you');
    speech.synthesizer.always();
    test.model.reply(`${FIRST} ${SECOND}`);
    const started = await start({ metadata: { device: 'phone' }, voice: 'ben', language: 'en' });
    expect(started).toEqual({ ok: true, utteranceId: expect.any(String), channelId });
    expect(await chunk(Buffer.from('some '))).toEqual({ ok: true, receivedBytes: 5 });
    expect(await client.ask('audioChunk', { audio: Buffer.from('sound') })).toEqual({ ok: true, receivedBytes: 10 });
    const ended = await end();
    expect(ended).toMatchObject({ ok: true, text: 'how are you', channelId, utteranceId: started.utteranceId });
    expect(Buffer.from(speech.transcriber.requests[0]!.audio).toString()).toBe('some sound');
    expect(await client.waitFor('audioTranscription')).toMatchObject({ text: 'how are you', messageId: ended.messageId, language: 'en' });
    const done = await client.waitFor('speechEnd');
    expect(done).toMatchObject({
      utteranceId: started.utteranceId,
      channelId,
      agentId: ADA.id,
      inReplyTo: ended.messageId,
      status: 'completed',
      spokenText: `${FIRST} ${SECOND}`,
    });
    expect(client.all('speechStart')).toEqual([
      expect.objectContaining({ messageId: done.messageId, replyId: done.messageId, mediaType: 'audio/wav', voice: 'ben' }),
    ]);
    expect(ended).toMatchObject({ inReplyTo: ended.messageId, replyId: done.replyId });
    const chunks = client.all('speechChunk');
    expect(chunks.map(({ index, text }) => [index, text])).toEqual([
      [0, FIRST],
      [1, SECOND],
    ]);
    for (const { audio, durationSeconds } of chunks) {
      expect(audio.toString('latin1', 0, 4)).toBe('RIFF');
      expect(audio.readUInt32LE(40)).toBe(durationSeconds * 32_000);
    }
    expect(speech.synthesizer.requests[0]).toMatchObject({ voice: 'ben', language: 'en' });
    const [said, reply] = await client.waitForMany('messageBroadcast', 2);
    expect(said).toMatchObject({ senderId: USER, text: 'how are you', metadata: { device: 'phone', transcription: { engine: 'ear' } } });
    expect(reply).toMatchObject({ id: done.messageId, isAgent: true, inReplyTo: ended.messageId });
    expect(used()).toBe(0);
  });

  it('receives a sentence while the next one is being generated', async () => {
    const gate = new Gate();
    speech.transcriber.hear('tell me');
    speech.synthesizer.always();
    test.model.deltas([`${FIRST} `, SECOND.slice(0, 9), SECOND.slice(9)], { gate });
    await utter();
    gate.release(2);
    expect(await client.waitFor('speechChunk')).toMatchObject({ text: FIRST });
    expect(client.all('speechEnd')).toEqual([]);
    gate.open();
    expect(await client.waitFor('speechEnd')).toMatchObject({ status: 'completed', spokenText: `${FIRST} ${SECOND}` });
  });

  it('interrupts the spoken reply by speaking again, at once; the text still completes', async () => {
    speech.transcriber.hear('one').hear('two');
    test.model.reply(`${FIRST} ${SECOND}`).reply('Very well.');
    speech.synthesizer.speak().stall().speak();
    await utter();
    await client.waitFor('speechChunk');
    await speech.synthesizer.called(2);
    expect(await start()).toMatchObject({ ok: true });
    // It was told before the new utterance was even acknowledged.
    expect(client.all('speechEnd')).toEqual([expect.objectContaining({ status: 'interrupted', spokenText: FIRST })]);
    expect(speech.synthesizer.requests[1]!.signal.aborted).toBe(true);
    await chunk();
    await end();
    expect(await client.waitFor('speechEnd', ({ status }) => status === 'completed')).toMatchObject({ spokenText: 'Very well.' });
    // Nothing of the first answer came after its end.
    const names = client.received.map(({ name }) => name).filter((name) => name.startsWith('speech'));
    expect(names).toEqual(['speechStart', 'speechChunk', 'speechEnd', 'speechStart', 'speechChunk', 'speechEnd']);
    expect(await stored()).toEqual(['Very well.', 'two', `${FIRST} ${SECOND}`, 'one']);
  });

  it('interrupts a reply before it is spoken', async () => {
    const gate = new Gate();
    speech.transcriber.hear('one');
    test.model.deltas([FIRST], { gate });
    await utter();
    expect(await client.ask('audioCancel')).toEqual({ ok: true });
    expect(await client.waitFor('speechEnd')).toMatchObject({ status: 'interrupted', spokenText: '', messageId: null });
    gate.open();
    await client.waitFor('messageComplete');
    expect(await stored()).toEqual([FIRST, 'one']);
  });

  it('has its message posted, without a spoken reply, when it is interrupted during recognition', async () => {
    const gate = new Gate();
    speech.transcriber.hear('one', { gate });
    test.model.reply(FIRST);
    await start();
    await chunk();
    const ending = end();
    await speech.transcriber.called();
    await client.ask('audioCancel');
    gate.open();
    expect(await ending).toMatchObject({ ok: true, text: 'one' });
    expect(await client.waitFor('speechEnd')).toMatchObject({ status: 'interrupted', spokenText: '' });
    await client.waitFor('messageComplete');
    expect(await stored()).toEqual([FIRST, 'one']);
  });

  it('has its utterances handled in order', async () => {
    const gate = new Gate();
    speech.transcriber.hear('one', { gate }).hear('two');
    speech.synthesizer.always();
    test.model.reply('To one.').reply('To two.');
    await start();
    await chunk();
    const first = end();
    await start();
    await chunk();
    const second = end();
    gate.open();
    expect([(await first).text, (await second).text]).toEqual(['one', 'two']);
    await client.waitFor('speechEnd', ({ status }) => status === 'completed');
    expect((await stored()).filter((text) => !text.startsWith('To'))).toEqual(['two', 'one']);
  });

  it('may send raw samples, with their format', async () => {
    speech.transcriber.hear('');
    await start({ encoding: 'pcm16', sampleRate: 24_000 });
    await chunk(Buffer.from([1, 0, 255, 255, 0, 128]));
    expect(await end()).toMatchObject({ ok: true, text: '', messageId: null });
    const audio = Buffer.from(speech.transcriber.requests[0]!.audio);
    expect([audio.toString('latin1', 0, 4), audio.readUInt32LE(24), audio.length]).toEqual(['RIFF', 24_000, 50]);
    expect([0, 1, 2].map((index) => audio.readInt16LE(44 + 2 * index))).toEqual([1, -1, -32_768]);
  });

  it('gets no reply to silence', async () => {
    speech.transcriber.hear('');
    expect(await utter()).toMatchObject({ ok: true, text: '', messageId: null });
    expect(await client.waitFor('audioTranscription')).toMatchObject({ text: '', messageId: null });
    expect((await api.get(`/api/messaging/channels/${channelId}`)).status).toBe(404);
  });

  it('receives the reason for a missing reply, also from a model without output', async () => {
    speech.transcriber.hear('one').hear('two').hear('three');
    test.model
      .fail(new AppError('MODEL_UNAVAILABLE', 'Away.', 'Later.'))
      .reply('')
      .reply('')
      .reply(FIRST);
    speech.synthesizer.fail(new AppError('AUDIO_BUSY', 'Busy.', 'Later.'));
    await utter();
    expect((await client.waitForMany('speechEnd', 1))[0]).toMatchObject({ status: 'failed', error: { code: 'MODEL_UNAVAILABLE' } });
    await utter();
    expect((await client.waitForMany('speechEnd', 2))[1]).toMatchObject({ status: 'failed', error: { code: 'EMPTY_REPLY' } });
    await utter();
    expect((await client.waitForMany('speechEnd', 3))[2]).toMatchObject({ status: 'failed', error: { code: 'AUDIO_BUSY' } });
  });

  describe('is refused', () => {
    it.each([
      ['without a channel', { channelId: undefined }],
      ['with a channel that is no UUID', { channelId: 'x' }],
      ['with an agent that is no UUID', { agentId: 'x' }],
      ['with an unknown encoding', { encoding: 'opus' }],
      ['with samples of no rate', { encoding: 'pcm16' }],
      ['with samples of a wrong rate', { encoding: 'pcm16', sampleRate: 100 }],
      ['with an unknown format', { format: 'flac' }],
      ['with a voice that is no text', { voice: 7 }],
      ['with a pace that is too fast', { speed: 5 }],
      ['with metadata that is no object', { metadata: [] }],
      ['with a sender that is no UUID', { senderId: 'x' }],
    ])('%s', async (_words, extra) => {
      expect(await start(extra)).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } });
      expect(await chunk()).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } });
      expect(used()).toBe(0);
    });

    it('as another user', async () => {
      expect(await start({ senderId: newId() })).toMatchObject({ ok: false, error: { code: 'FORBIDDEN' } });
    });

    it('when no agent could reply', async () => {
      speech.transcriber.hear('hello');
      await start({ agentId: undefined });
      await chunk();
      expect(await end()).toMatchObject({ ok: false, error: { code: 'AGENT_NOT_FOUND' } });
    });

    it.each([[undefined], ['text'], [{ audio: 'text' }], [[]], [new Uint8Array()]])('with the chunk %j', async (payload) => {
      await start();
      expect(await client.ask('audioChunk', payload)).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } });
    });

    it('when it ends an utterance that it did not begin', async () => {
      expect(await end()).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } });
      expect(await client.waitFor('messageError')).toMatchObject({ code: 'VALIDATION_ERROR' });
    });

    it('when it speaks too long, and its audio is discarded', async () => {
      await start();
      expect(await chunk(Buffer.alloc(LIMIT))).toMatchObject({ ok: true, receivedBytes: LIMIT });
      expect(await chunk(Buffer.alloc(1))).toMatchObject({ ok: false, error: { code: 'FILE_TOO_LARGE' } });
      expect(used()).toBe(0);
      expect(await end()).toMatchObject({ ok: false });
    });

    it('when its data is not audio; the next utterance works again', async () => {
      speech.transcriber.fail(new AppError('UNSUPPORTED_MEDIA_TYPE', 'No audio.', 'Send audio.')).hear('');
      expect(await utter()).toMatchObject({ ok: false, error: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
      expect(await utter()).toMatchObject({ ok: true });
      expect(used()).toBe(0);
    });
  });

  it('leaves nothing behind when it disconnects', async () => {
    speech.transcriber.stall();
    await start();
    await chunk();
    client.socket.emit('audioEnd');
    await speech.transcriber.called();
    await start();
    await chunk();
    expect(used()).toBeGreaterThan(0);
    const { signal } = speech.transcriber.requests[0]!;
    const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve));
    client.close();
    await stopped;
    while (used() > 0) await new Promise((resolve) => setImmediate(resolve));
  });
});
