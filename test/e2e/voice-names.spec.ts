// Names of OpenAI's voices, which its clients send unasked, at every door that takes a voice; with the embedded voices.
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { newId } from '../../src/core/ids/index.js';
import { SpeechRegistry } from '../../src/providers/speech/index.js';
import { ApiClient } from '../support/api-client.js';
import { ADA, BOB, createTestApp, type TestApp } from '../support/create-test-app.js';
import { expectError } from '../support/expect-envelope.js';
import { ScriptedTranscriber } from '../support/scripted-speech.js';
import { SocketClient } from '../support/socket-client.js';

const ORIGIN = 'https://app.example';

describe('a voice', () => {
  let test: TestApp;
  const api = new ApiClient(() => test.url);
  beforeAll(async () => {
    test = await createTestApp({
      env: { CORS_ORIGIN: ORIGIN },
      characters: [
        { name: ADA.name, bio: 'Ada.' },
        { name: BOB.name, bio: 'Bob.', settings: { voice: { model: ' Fable ' } } },
      ],
    });
    test.model.always(() => 'Hello there.');
  });
  afterAll(() => test.close());

  const say = (path: string, body: object, agentId = ADA.id): Promise<Response> =>
    fetch(`${test.url}/api/audio/${agentId}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: ORIGIN },
      body: JSON.stringify({ text: 'Hello.', ...body }),
    });
  const voiceOf = async (answer: Response): Promise<[number, string | null]> => {
    await answer.arrayBuffer();
    return [answer.status, answer.headers.get('x-voice')];
  };

  it.each([
    ['audio-messages/synthesize', { options: { voice: 'alloy' } }, 'slt'],
    ['audio-messages/synthesize', { voice: 'onyx' }, 'rms'],
    ['audio-messages/synthesize', {}, 'rms'],
    ['speech/generate', { voice: 'Nova ' }, 'slt'],
    ['speech/generate', { voice: 'fable', text: 'One sentence. And another one.' }, 'awb'],
    ['speech/generate', { voice: ' SLT' }, 'slt'],
    ['speech/generate', {}, 'rms'],
    ['speech/conversation', { voice: 'SHIMMER' }, 'slt'],
    ['speech/conversation', {}, 'rms'],
  ])('at %s with %j is %s, and the response names it', async (path, body, voice) => {
    const answer = await say(path, body);
    expect(answer.headers.get('access-control-expose-headers')).toContain('X-Voice');
    expect(await voiceOf(answer)).toEqual([200, voice]);
  });

  it.each(['audio-messages/synthesize', 'speech/generate', 'speech/conversation'])(
    'with an unknown name is refused at %s',
    async (path) => {
      const answer = await api.post(`/api/audio/${ADA.id}/${path}`, { text: 'Hello.', voice: 'alloy-2' });
      expectError(answer, 400, 'UNKNOWN_VOICE');
      expect(answer.body.error.details).toContain('rms, slt, awb, kal16');
      expect(answer.headers.get('x-voice')).toBeNull();
    },
  );

  it('of a character may have such a name', async () => {
    expect(await voiceOf(await say('speech/generate', {}, BOB.id))).toEqual([200, 'awb']);
    expect(await voiceOf(await say('speech/generate', { voice: 'coral' }, BOB.id))).toEqual([200, 'slt']);
  });

  it('may be named with a recording, over HTTP and over a socket', async () => {
    const ear = new ScriptedTranscriber().always('hello');
    jest.spyOn(test.app.get(SpeechRegistry), 'transcriber').mockReturnValue(ear);
    const recording = await (await say('speech/generate', { text: 'Hello.' })).blob();
    const form = new FormData();
    form.set('file', recording, 'hello.wav');
    form.set('voice', 'sage');
    const answer = await fetch(`${test.url}/api/audio/${ADA.id}/speech/conversation`, { method: 'POST', body: form });
    expect([answer.status, answer.headers.get('x-voice')]).toEqual([200, 'slt']);

    const client = await SocketClient.connect(test.url, { auth: { entityId: newId() } });
    await client.ask('audioStart', { channelId: newId(), agentId: ADA.id, voice: 'ALLOY' });
    await client.ask('audioChunk', Buffer.from(await recording.arrayBuffer()));
    expect(await client.ask('audioEnd')).toMatchObject({ ok: true });
    expect(await client.waitFor('speechStart')).toMatchObject({ voice: 'slt' });
    await client.waitFor('speechEnd');
    client.close();
  });
});
