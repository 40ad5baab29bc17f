import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wavFile, type Transcriber, type Transcript, type TranscriptionRequest } from '../../src/providers/speech/index.js';

const never = new AbortController().signal;
const RATE = 16_000;

/** One of `test/fixtures/audio`. */
export function recording(name: string): Buffer {
  return readFileSync(join(import.meta.dirname, '../fixtures/audio', name));
}

/** So many seconds of what `at` says for each sample, as a WAV file. */
export function made(seconds: number, at: (index: number) => number): Uint8Array {
  return wavFile([{ samples: Int16Array.from({ length: seconds * RATE }, (_, i) => at(i)), sampleRate: RATE }]);
}

export function heard(transcriber: Transcriber, audio: Uint8Array, options: Partial<TranscriptionRequest> = {}): Promise<Transcript> {
  return transcriber.transcribe({ audio, signal: never, ...options });
}

/** A small generator of noise that is the same each time. */
export function noise(loudness: number): (index: number) => number {
  let state = 1;
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return ((state >> 16) / 0x7fff - 0.5) * 2 * loudness;
  };
}

/** What every transcriber keeps to; it takes 10 seconds and 200,000 bytes at most. `words` are what it receives in speech.wav. */
export function describeTranscriber(name: string, words: string, make: () => Transcriber): void {
  describe(`${name} as a Transcriber`, () => {
    let subject: Transcriber;

    beforeAll(() => {
      subject = make();
    });

    afterAll(() => subject.close());

    it('transcribes speech with times', async () => {
      const transcript = await heard(subject, recording('speech.wav'));
      expect(transcript).toMatchObject({ text: words, provider: subject.provider, engine: subject.engine, mediaType: 'audio/wav' });
      expect(transcript.durationSeconds).toBeCloseTo(3.47, 2);
      expect(transcript.segments.map(({ text }) => text).join(' ')).toBe(words);
      let before = 0;
      for (const { startSeconds, endSeconds } of transcript.segments) {
        expect(startSeconds).toBeGreaterThanOrEqual(before);
        expect(endSeconds).toBeGreaterThan(startSeconds);
        before = startSeconds;
      }
    });

    it('returns nothing for silence', async () => {
      for (const silence of [made(1, () => 0), made(1, (i) => (i % 3) - 1), made(0.001, () => 0)]) {
        expect(await heard(subject, silence)).toMatchObject({ text: '', segments: [] });
      }
    });

    it('accepts noise without an error', async () => {
      expect(typeof (await heard(subject, made(0.5, noise(10_000)))).text).toBe('string');
    });

    it.each([
      ['an empty file', () => new Uint8Array(0), 'VALIDATION_ERROR'],
      ['a text', () => Buffer.from('hello, I am a recording'), 'UNSUPPORTED_MEDIA_TYPE'],
      ['a picture', () => Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'UNSUPPORTED_MEDIA_TYPE'],
      ['a file that says WAV and is not', () => Buffer.from(`RIFF\xff\xff\xff\xffWAVE${'x'.repeat(5000)}`, 'latin1'), 'NO_AUDIO_TRACK'],
      ['a WAV header without sound', () => made(0, () => 0), 'NO_AUDIO_TRACK'],
      ['pictures without sound', () => recording('picture-only.webm'), 'NO_AUDIO_TRACK'],
      ['a file that unfolds to an hour', () => recording('silence-one-hour.flac'), 'AUDIO_TOO_LONG'],
      ['more sound than allowed', () => mulaw(11), 'AUDIO_TOO_LONG'],
      ['more bytes than allowed', () => made(7, () => 0), 'FILE_TOO_LARGE'],
    ])('refuses %s', async (_what, audio, code) => {
      await expect(heard(subject, audio())).rejects.toMatchObject({ code });
    });

    it('reads a file to its actual end when its header promises two hours or it was cut', async () => {
      const promising = Buffer.from(made(1, () => 0));
      promising.writeUInt32LE(2 * 7200 * RATE, 40);
      expect((await heard(subject, promising)).durationSeconds).toBeCloseTo(1, 5);
      const cut = recording('speech.wav').subarray(0, 44 + RATE);
      expect((await heard(subject, cut)).durationSeconds).toBeCloseTo(0.5, 5);
    });

    it('refuses a language that it does not understand', async () => {
      if (subject.languages === undefined) {
        return expect(
          (
            await heard(
              subject,
              made(1, () => 0),
              { language: 'de' },
            )
          ).text,
        ).toBe('');
      }
      await expect(heard(subject, recording('speech.wav'), { language: 'de-DE' })).rejects.toMatchObject({
        code: 'LANGUAGE_NOT_SUPPORTED',
      });
    });

    it('stops when it is aborted, with the reason, and continues for others', async () => {
      const reason = new Error('no longer needed');
      await expect(heard(subject, recording('speech.wav'), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      const caller = new AbortController();
      const under = heard(subject, recording('speech.wav'), { signal: caller.signal });
      const other = heard(subject, recording('speech.wav'));
      caller.abort(reason);
      await expect(under).rejects.toBe(reason);
      expect((await other).text).toBe(words);
    });

    it('refuses calls once it is closed', async () => {
      const closed = make();
      await closed.close();
      await expect(heard(closed, recording('speech.wav'))).rejects.toMatchObject({ code: 'SERVER_STOPPING' });
    });
  });
}

/** Seconds of 8 kHz telephone sound, which is small and long. */
function mulaw(seconds: number): Buffer {
  const sound = Buffer.alloc(8000 * seconds, 0x55);
  const header = Buffer.from('RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x07\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data', 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32LE(sound.length);
  return Buffer.concat([header, length, sound]);
}
