// The embedded engines behind the operations, and who may speak where.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ApiClient } from '../support/api-client.js';
import { ADA, BOB, createTestApp, type TestApp } from '../support/create-test-app.js';
import { expectError } from '../support/expect-envelope.js';
import { scriptedSpeech } from '../support/scripted-speech-app.js';

const fixture = (name: string): Buffer => readFileSync(join(import.meta.dirname, '../fixtures/audio', name));

const ADMIN = 'the administrator of the tests';
const WORDS = 'The quick brown fox jumps over the lazy dog.';

// The recogniser is prepared once, which takes seconds.
jest.setTimeout(120_000);

describe('with the embedded engines, Parley', () => {
  let test: TestApp;
  const api = new ApiClient(() => test.url);
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test.close());

  it('names the active engines in the health report', async () => {
    expect((await api.get('/health')).body.checks.speech).toEqual({
      synthesis: { provider: 'embedded', engine: 'flite', languages: ['en'] },
      transcription: { provider: 'embedded', engine: 'pocketsphinx-en-us', languages: ['en'] },
    });
  });

  it("understands an agent's speech, replies, and is understood again", async () => {
    const spoken = await fetch(`${test.url}/api/audio/${ADA.id}/speech/generate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: WORDS, format: 'ogg' }),
    });
    expect(spoken.headers.get('content-type')).toBe('audio/ogg');
    const form = new FormData();
    form.append('file', new Blob([await spoken.arrayBuffer()]), 'blob');
    test.model.reply('Six seven eight nine ten.');
    const { data } = (await api.send('POST', `/api/audio/${ADA.id}/speech/conversation`, form)).body;
    expect(data).toMatchObject({ transcription: WORDS.toLowerCase().replace('.', ''), text: 'Six seven eight nine ten.' });
    const back = new FormData();
    back.append('file', new Blob([Buffer.from(data.audio, 'base64')]), 'blob');
    expect((await api.send('POST', `/api/audio/${ADA.id}/transcriptions`, back)).body.data).toMatchObject({
      text: 'six seven eight nine ten',
      engine: 'pocketsphinx-en-us',
      mediaType: 'audio/wav',
    });
  });

  const transcribe = (bytes: Buffer, type = 'audio/wav', name = 'speech.wav'): ReturnType<ApiClient['send']> => {
    const form = new FormData();
    form.append('file', new Blob([Uint8Array.from(bytes)], { type }), name);
    return api.send('POST', `/api/audio/${ADA.id}/transcriptions`, form);
  };

  it.each([
    ['is text', Buffer.from('this is no sound at all'), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['is a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['has pictures only', fixture('picture-only.webm'), 422, 'NO_AUDIO_TRACK'],
    ['unpacks to an hour', fixture('silence-one-hour.flac'), 413, 'AUDIO_TOO_LONG'],
  ] as const)('refuses a recording that %s', async (_words, bytes, status, code) => {
    expectError(await transcribe(bytes), status, code);
  });

  it('accepts a recording with a wrong name or type, as browsers record it, and a truncated one', async () => {
    const live = (await transcribe(fixture('speech-live.webm'), 'image/png', 'picture.png')).body.data;
    expect(live).toMatchObject({ text: WORDS.toLowerCase().replace('.', ''), mediaType: 'audio/webm' });
    const whole = fixture('speech.wav');
    // It says that it has two hours, and ends in the middle.
    const cut = Buffer.from(whole.subarray(0, whole.length / 2));
    cut.writeUInt32LE(2 * 3600 * 32_000, 40);
    const { text, durationSeconds } = (await transcribe(cut)).body.data;
    expect(WORDS.toLowerCase().startsWith(text.split(' ').slice(0, 3).join(' '))).toBe(true);
    expect(durationSeconds).toBeLessThan(live.durationSeconds);
  });
});

describe('a key restricted to an agent', () => {
  let test: TestApp;
  const api = new ApiClient(() => test.url);
  beforeAll(async () => {
    test = await createTestApp({ env: { API_KEY: ADMIN } });
  });
  const speech = scriptedSpeech(() => test);
  afterAll(() => test.close());

  it.each(['channelId', 'roomId'])('neither speaks in nor adds its agent to a channel of another agent, named as %s', async (field) => {
    const as = (key: string): { headers: Record<string, string> } => ({ headers: { 'x-api-key': key } });
    const { token } = (await api.post('/api/keys', { name: 'limited', scope: 'write', agents: [ADA.id] }, as(ADMIN))).body.data;
    const channel = (await api.post('/api/messaging/channels', { name: 'a', participantCentralUserIds: [BOB.id] }, as(ADMIN))).body.data;
    const text = await api.post(`/api/audio/${ADA.id}/speech/conversation`, { text: 'hello', [field]: channel.id }, as(token));
    const form = new FormData();
    form.append('file', new Blob(['sound']), 'blob');
    form.append(field, channel.id);
    const recording = await api.send('POST', `/api/audio/${ADA.id}/speech/conversation`, form, as(token));
    for (const answer of [text, recording]) expect([answer.status, answer.body.error?.code]).toEqual([403, 'FORBIDDEN']);
    expect(speech.transcriber.requests).toEqual([]);
  });
});
