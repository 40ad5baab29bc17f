import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemClock } from '../../core/clock/index.js';
import { loadConfig } from '../../core/config/index.js';
import { allPieces, describeSynthesizer } from '../../../test/support/describe-synthesizer.js';
import { describeTranscriber, heard, recording } from '../../../test/support/describe-transcriber.js';
import { startSpeechServer, type SpeechServer } from '../../../test/support/speech-server.mjs';
import { Outbound } from '../outbound/index.js';
import { SpeechRegistry } from './speech-registry.js';
import { wavFile } from './wav.js';
// Modules define their own settings.
import '../../app.module.js';

const KEY = 'sk-very-secret';
const IMPATIENT = { MODEL_TIMEOUT_MS: '1000', TRANSCRIPTION_TIMEOUT_MS: '1000' };
const LIMITS = { AUDIO_MAX_SECONDS: '10', AUDIO_MAX_BYTES: '200000', FFMPEG_PATH: 'there-is-no-such-program' };

let server: SpeechServer;
const registries: SpeechRegistry[] = [];

beforeAll(async () => {
  server = await startSpeechServer();
});

afterEach(() => server.otherwise({ kind: 'reply' }));

afterAll(async () => {
  await Promise.all(registries.map((registry) => registry.close()));
  await server.close();
});

function registry(env: Record<string, string>): SpeechRegistry {
  const [config, clock] = [loadConfig({ MODEL_RETRIES: '1', ...LIMITS, ...env }, '0'), new SystemClock()];
  const made = new SpeechRegistry(config, clock, new Outbound(config, clock));
  registries.push(made);
  return made;
}

const SERVICES = {
  openai: (env = {}) => registry({ OPENAI_AUDIO_BASE_URL: server.baseUrl, OPENAI_API_KEY: KEY, OPENAI_SPEECH_VOICE: 'one', ...env }),
  elevenlabs: (env = {}) =>
    registry({ ELEVENLABS_BASE_URL: server.origin, ELEVENLABS_API_KEY: KEY, ELEVENLABS_VOICE_ID: 'one-id', ...env }),
};

for (const [name, make] of Object.entries(SERVICES)) {
  describeSynthesizer(name, () => make().synthesizer());
  describeTranscriber(name, 'hello from the service', () => make().transcriber());

  describe(`a service of ${name}`, () => {
    const calls = {
      'a sentence': (env = {}) => allPieces(make(env).synthesizer(), { text: 'Hello there.' }),
      'a recording': (env = {}) => heard(make(env).transcriber(), recording('speech.webm')),
    };

    describe.each(Object.entries(calls))('with %s', (_what, call) => {
      it('is retried after the time that a 429 requests', async () => {
        const before = server.requests.length;
        server.next({ kind: 'status', status: 429, headers: { 'retry-after': '0' } });
        await call();
        expect(server.requests.length - before).toBe(2);
      });

      it.each([
        ['keeps refusing for want of capacity', { kind: 'status', status: 429, headers: { 'retry-after': '0' } }, 'MODEL_UNAVAILABLE'],
        ['has a fault', { kind: 'status', status: 500 }, 'MODEL_UNAVAILABLE'],
        ['does not know the key', { kind: 'status', status: 401, message: `wrong key ${KEY}` }, 'MODEL_REJECTED'],
        ['never answers', { kind: 'stall' }, 'MODEL_UNAVAILABLE'],
        ['hangs up', { kind: 'cut' }, 'MODEL_UNAVAILABLE'],
      ] as const)('fails with a clear error when it %s', async (_case, behaviour, code) => {
        server.otherwise(behaviour);
        const error: unknown = await call(behaviour.kind === 'stall' ? IMPATIENT : {}).catch((reason: unknown) => reason);
        expect(error).toMatchObject({ code, details: expect.stringContaining('Check') });
        expect(JSON.stringify([error, String((error as Error).cause)])).not.toContain(KEY);
      });
    });

    it('gets an abort when its caller disconnects', async () => {
      server.next({ kind: 'stall' });
      const caller = new AbortController();
      const arrived = server.received();
      const under = heard(make().transcriber(), recording('speech.wav'), { signal: caller.signal });
      await Promise.race([under, arrived]);
      caller.abort(new Error('gone'));
      await expect(under).rejects.toThrow('gone');
      expect(await server.requests.at(-1)?.closed).toBe(false);
    });
  });
}

describe('RemoteSynthesizer', () => {
  it('requests WAV from OpenAI with voice, speed and model, and sends the key', async () => {
    await allPieces(SERVICES.openai().synthesizer(), { text: 'Hello there.', speed: 1.5 });
    const { path, json, headers } = server.requests.at(-1) ?? {};
    expect(path).toBe('/v1/audio/speech');
    expect(json).toEqual({ model: 'gpt-4o-mini-tts', input: 'Hello there.', voice: 'one', response_format: 'wav', speed: 1.5 });
    expect(headers?.authorization).toBe(`Bearer ${KEY}`);
  });

  it('requests samples from ElevenLabs with voice, language and model', async () => {
    await allPieces(SERVICES.elevenlabs().synthesizer(), { text: 'Hallo du da.', voice: 'Two', language: 'de' });
    const { path, query, json } = server.requests.at(-1) ?? {};
    expect([path, query?.get('output_format')]).toEqual(['/v1/text-to-speech/two-id', 'pcm_24000']);
    expect(json).toMatchObject({ text: 'Hallo du da.', model_id: 'eleven_multilingual_v2', language_code: 'de' });
  });

  it('encodes a voice as one path segment', async () => {
    const speak = (voice: string) => allPieces(SERVICES.elevenlabs({ ELEVENLABS_VOICE_ID: voice }).synthesizer(), { text: 'Hello.' });
    await speak('../../admin?x=#');
    expect(server.requests.at(-1)?.path).toBe('/v1/text-to-speech/..%2F..%2Fadmin%3Fx%3D%23');
    await expect(speak('..')).rejects.toMatchObject({ code: 'UNKNOWN_VOICE' });
  });

  it('speaks the sentences after the first in few requests', async () => {
    const before = server.requests.length;
    await allPieces(SERVICES.openai().synthesizer(), { text: 'This is a sentence of some words. '.repeat(30) });
    expect(server.requests.length - before).toBe(3);
  });

  it('accepts MP3 from a service that ignores the requested format', async () => {
    server.next({ kind: 'bytes', bytes: recording('speech-stereo-44k.mp3') });
    const [piece] = await allPieces(SERVICES.openai().synthesizer(), { text: 'Hello there.' });
    expect(piece?.sampleRate).toBe(44_100);
    expect((piece?.samples.length ?? 0) / 44_100).toBeCloseTo(3.5, 1);
  });

  it('refuses a response that is not audio', async () => {
    server.next({ kind: 'bytes', bytes: Buffer.from('{"oops":true}') });
    await expect(allPieces(SERVICES.openai().synthesizer(), { text: 'Hello there.' })).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
  });

  it('sends no key when none is set', async () => {
    await allPieces(registry({ OPENAI_AUDIO_BASE_URL: server.baseUrl }).synthesizer(), { text: 'Hello there.' });
    expect(server.requests.at(-1)?.headers.authorization).toBeUndefined();
  });
});

describe('RemoteTranscriber', () => {
  it('sends the recording unchanged, with the language', async () => {
    await heard(SERVICES.openai().transcriber(), recording('speech.webm'), { language: 'en-GB' });
    const { path, body } = server.requests.at(-1) ?? {};
    expect(path).toBe('/v1/audio/transcriptions');
    expect(body?.includes(recording('speech.webm'))).toBe(true);
    expect(body?.toString('latin1')).toMatch(/name="language"\r\n\r\nen\r\n/);
  });

  it('lets the service decode unknown formats', async () => {
    const transcript = await heard(SERVICES.openai().transcriber(), recording('speech.m4a'));
    expect(transcript).toMatchObject({ text: 'hello from the service', mediaType: 'audio/mp4', durationSeconds: 4 });
  });

  it('sends no request for silence', async () => {
    const before = server.requests.length;
    const silence = wavFile([{ samples: new Int16Array(16_000), sampleRate: 16_000 }]);
    expect((await heard(SERVICES.openai().transcriber(), silence)).text).toBe('');
    expect(server.requests.length).toBe(before);
  });
});

describe('SpeechRegistry', () => {
  it.each([
    ['the built-in engines', {}, 'flite', 'pocketsphinx-en-us'],
    ['OpenAI when there is a key for it', { OPENAI_API_KEY: KEY }, 'gpt-4o-mini-tts', 'whisper-1'],
    [
      'the built-in engines beside a chat service',
      { OPENAI_BASE_URL: 'http://localhost:1/v1', OPENAI_API_KEY: KEY },
      'flite',
      'pocketsphinx-en-us',
    ],
    ['ElevenLabs when there is a key for it', { ELEVENLABS_API_KEY: KEY, OPENAI_API_KEY: KEY }, 'eleven_multilingual_v2', 'scribe_v1'],
    ['each model folder for what it is for', { SHERPA_TTS_DIR: '/x', ELEVENLABS_API_KEY: KEY }, 'sherpa-onnx', 'scribe_v1'],
    ['what is named', { SPEECH_PROVIDER: 'embedded', TRANSCRIPTION_PROVIDER: 'openai', OPENAI_API_KEY: KEY }, 'flite', 'whisper-1'],
  ])('accepts %s', (_what, env, speech, transcription) => {
    expect(registry(env).describe()).toMatchObject({ synthesis: { engine: speech }, transcription: { engine: transcription } });
  });

  it('can be disabled', () => {
    const off = registry({ SPEECH_PROVIDER: 'none', TRANSCRIPTION_PROVIDER: 'none' });
    expect(off.describe()).toEqual({ synthesis: null, transcription: null });
    expect(() => off.synthesizer()).toThrow(expect.objectContaining({ code: 'MODEL_UNAVAILABLE' }));
    expect(() => off.transcriber()).toThrow(expect.objectContaining({ code: 'MODEL_UNAVAILABLE' }));
  });

  it('lets an agent choose, and reports missing settings', () => {
    const subject = registry({});
    expect(() => subject.synthesizer({ provider: 'elevenlabs' })).toThrow(expect.objectContaining({ details: 'Set ELEVENLABS_API_KEY.' }));
    expect(() => subject.transcriber({ provider: 'sherpa' })).toThrow(expect.objectContaining({ details: 'Set SHERPA_STT_DIR.' }));
    expect(() => subject.synthesizer({ provider: 'parrot' })).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
    expect(subject.synthesizer({ provider: 'embedded' })).toBe(subject.synthesizer());
  });

  it('does not start when the named provider lacks its key', () => {
    expect(() => registry({ SPEECH_PROVIDER: 'elevenlabs' })).toThrow('ELEVENLABS_API_KEY must be set for SPEECH_PROVIDER=elevenlabs.');
  });
});

describe('Ffmpeg', () => {
  it('is needed for MP4, and an error names it when missing', async () => {
    const refusal = { code: 'UNSUPPORTED_MEDIA_TYPE', details: expect.stringContaining('ffmpeg') };
    await expect(heard(registry({}).transcriber(), recording('speech.m4a'))).rejects.toMatchObject(refusal);
  });

  it.each([
    ['audio', 'process.stdout.write(Buffer.alloc(32_001))', { durationSeconds: 1 }],
    ['nothing', '', { code: 'NO_AUDIO_TRACK' }],
    ['a complaint', 'process.stderr.write("no stream"); process.exitCode = 1', { code: 'NO_AUDIO_TRACK' }],
    ['more and more', 'const more = () => process.stdout.write(Buffer.alloc(65_536), more); more()', { code: 'AUDIO_TOO_LONG' }],
  ])('is trusted about the format when it sends %s', async (_what, script, outcome) => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-test-'));
    const program = join(folder, 'ffmpeg');
    await writeFile(program, `#!${process.execPath}\n${script}`);
    await chmod(program, 0o755);
    const result: unknown = await heard(registry({ FFMPEG_PATH: program }).transcriber(), recording('speech.m4a')).catch(
      (error: unknown) => error,
    );
    expect(result).toMatchObject(outcome);
    await rm(folder, { recursive: true });
  });
});
