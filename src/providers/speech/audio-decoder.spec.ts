import { FakeClock } from '../../../test/support/fake-clock.js';
import { made, noise, recording } from '../../../test/support/describe-transcriber.js';
import { AudioDecoder, RECOGNITION_SAMPLE_RATE } from './audio-decoder.js';
import { AudioEncoder } from './audio-encoder.js';
import { detectContainer } from './container.js';
import { Ffmpeg } from './ffmpeg.js';
import type { Pcm } from './pcm.js';
import { Resampler } from './workers/resampler.js';
import { wavFile } from './wav.js';

const never = new AbortController().signal;
const clock = new FakeClock();
const ffmpeg = new Ffmpeg({ clock, command: 'there-is-no-such-program' });
const decoder = new AudioDecoder({ clock, maxBytes: 1_000_000, maxSeconds: 30, queue: 10, ffmpeg });
const encoder = new AudioEncoder(clock);

afterAll(() => Promise.all([decoder.close(), encoder.close()]));

const FILES = [
  'speech.wav',
  'speech-mulaw.wav',
  'speech-stereo-44k.mp3',
  'speech-48k.flac',
  'speech-vorbis-22k.ogg',
  'speech-opus.ogg',
  'speech.webm',
  'speech-live.webm',
];

async function decoded(file: Uint8Array): Promise<Int16Array> {
  const { pieces } = await decoder.decode(file, { signal: never, rate: RECOGNITION_SAMPLE_RATE });
  return Int16Array.from(pieces.flatMap((piece) => [...piece]));
}

function energy(samples: ArrayLike<number>): number {
  return Math.sqrt(Array.from(samples).reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

describe('AudioDecoder', () => {
  it.each(FILES)('decodes the same sound from %s', async (file) => {
    const [original, samples] = [await decoded(recording('speech.wav')), await decoded(recording(file))];
    expect(samples.length / RECOGNITION_SAMPLE_RATE).toBeCloseTo(3.5, 1);
    // ffmpeg makes two channels of one by giving each less of it.
    expect(energy(samples) / energy(original)).toBeGreaterThan(0.65);
    expect(energy(samples) / energy(original)).toBeLessThan(1.1);
  });

  it.each(FILES)('decodes the available part of truncated %s', async (file) => {
    const whole = recording(file);
    const samples = await decoded(whole.subarray(0, Math.ceil(whole.length * 0.6)));
    expect(samples.length / RECOGNITION_SAMPLE_RATE).toBeGreaterThan(1);
    expect(samples.length / RECOGNITION_SAMPLE_RATE).toBeLessThan(3);
  });

  it.each(FILES)('decodes damaged %s', async (file) => {
    const random = noise(128);
    const damaged = Uint8Array.from(recording(file), (byte, i) => (i > 200 && i % 97 === 0 ? Math.abs(random(i)) : byte));
    const outcome: unknown = await decoder.decode(damaged, { signal: never }).catch((error: unknown) => error);
    if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'NO_AUDIO_TRACK' });
    expect((await decoded(recording('speech.wav'))).length).toBe(3.47 * RECOGNITION_SAMPLE_RATE);
  });

  it.each([24, 32])('decodes WAV of two channels and %i bits', async (bits) => {
    const samples = await decoded(twoChannels(bits));
    expect(energy(samples)).toBeCloseTo(energy(Float32Array.from({ length: 16_000 }, (_, i) => 8192 * Math.sin(i / 10))), -2);
  });

  it('keeps the rate of the recording by default', async () => {
    expect((await decoder.decode(recording('speech-vorbis-22k.ogg'), { signal: never })).sampleRate).toBe(22_050);
  });
});

describe('containerOf', () => {
  it.each([
    ['speech.m4a', 'audio/mp4'],
    ['speech-fragmented.mp4', 'audio/mp4'],
    ['speech.webm', 'audio/webm'],
    ['speech-opus.ogg', 'audio/ogg'],
    ['speech-stereo-44k.mp3', 'audio/mpeg'],
    ['silence-one-hour.flac', 'audio/flac'],
    ['README.md', undefined],
  ])('detects %s by its content', (file, mediaType) => {
    expect(detectContainer(recording(file))?.mediaType).toBe(mediaType);
  });

  it.each([
    ['an AAC stream', 'fff15080', 'audio/aac'],
    ['AMR', '2321414d520a', 'audio/amr'],
    ['Wave64', '726966662e91cf11a5d628db', 'audio/x-w64'],
    ['WavPack', '7776706b00000000', 'audio/x-wavpack'],
    ['AU', '2e736e6400000018', 'audio/basic'],
    ['BW64', '42573634ffffffff57415645', 'audio/wav'],
    ['a tag before AAC', '49443303000000000000fff15080', 'audio/aac'],
    ['a tag before nothing', '49443303000000000000', 'audio/mpeg'],
    ['a frame of no known layer', 'ffe90000', undefined],
    ['one byte', 'ff', undefined],
  ])('detects %s correctly', (_what, hex, mediaType) => {
    const file = Buffer.from(hex, 'hex');
    expect(detectContainer(file)?.mediaType).toBe(mediaType);
  });
});

describe('Resampler', () => {
  const tone = (hertz: number, rate: number, seconds = 1): Float32Array =>
    Float32Array.from({ length: rate * seconds }, (_, i) => Math.sin((2 * Math.PI * hertz * i) / rate));
  const resampled = (input: Float32Array, from: number, to: number, size = input.length): number[] => {
    const resampler = new Resampler(from, to);
    const output: number[] = [];
    for (let at = 0; at < input.length; at += size) output.push(...resampler.push(input.subarray(at, at + size)));
    return [...output, ...resampler.flush()];
  };

  it.each([48_000, 44_100, 22_050, 11_025, 8000, 12_345, 96_000])('keeps a tone and its length, from %i Hz', (from) => {
    const output = resampled(tone(1000, from), from, 16_000);
    expect(output.length).toBe(16_000);
    const expected = tone(1000, 16_000);
    const off = output.slice(200, -200).map((value, i) => Math.abs(value - (expected[i + 200] ?? 0)));
    expect(Math.max(...off)).toBeLessThan(0.003);
  });

  it("removes frequencies above the lower rate's limit", () => {
    expect(energy(resampled(tone(12_000, 48_000), 48_000, 16_000).slice(200, -200))).toBeLessThan(0.001);
  });

  it('gives the same result for any chunking', () => {
    const input = tone(440, 44_100, 0.2);
    expect(resampled(input, 44_100, 16_000, 7)).toEqual(resampled(input, 44_100, 16_000));
  });
});

describe('AudioEncoder', () => {
  const spoken: Pcm[] = [0, 1].map((piece) => ({
    samples: Int16Array.from({ length: 16_000 }, (_, i) => 8000 * Math.sin((i + piece) / 9)),
    sampleRate: 16_000,
  }));
  async function* pieces(): AsyncGenerator<Pcm, void> {
    yield* spoken;
  }
  const encoded = async (from: AsyncIterable<Pcm>, format: 'wav' | 'mp3' | 'ogg'): Promise<Buffer> => {
    const bytes: Uint8Array[] = [];
    for await (const part of encoder.encode(from, format, { signal: never })) bytes.push(part);
    return Buffer.concat(bytes);
  };

  it.each([
    ['wav', 'audio/wav'],
    ['mp3', 'audio/mpeg'],
    ['ogg', 'audio/ogg'],
  ] as const)('encodes %s that decodes to the same sound', async (format, mediaType) => {
    const file = await encoded(pieces(), format);
    const { seconds, mediaType: found } = await decoder.decode(file, { signal: never });
    expect(found).toBe(mediaType);
    expect(seconds).toBeCloseTo(2, 0);
    expect(energy(await decoded(file)) / energy(spoken[0]?.samples ?? [])).toBeCloseTo(1, 0);
  });

  it('sends the first part before it has the last piece', async () => {
    async function* endless(): AsyncGenerator<Pcm, void> {
      for (;;) yield* spoken;
    }
    for (const format of ['wav', 'mp3', 'ogg'] as const) {
      const file = encoder.encode(endless(), format, { signal: never });
      expect((await file.next()).value?.length).toBeGreaterThan(0);
      await file.return();
    }
  });

  it('returns nothing for no input, and fails with its source', async () => {
    async function* failing(): AsyncGenerator<Pcm, void> {
      yield* spoken;
      throw new Error('the voice broke');
    }
    for (const format of ['wav', 'mp3'] as const) {
      expect((await encoded((async function* none() {})(), format)).length).toBe(0);
      await expect(encoded(failing(), format)).rejects.toThrow('the voice broke');
    }
  });

  it('writes the sizes of a complete input', () => {
    const file = Buffer.from(wavFile(spoken));
    expect([file.readUInt32LE(4), file.readUInt32LE(40), file.length]).toEqual([64_036, 64_000, 64_044]);
  });
});

/** A second of a tone, louder on the left; 24 bit integers or 32 bit floating point. */
function twoChannels(bits: number): Buffer {
  const file = Buffer.from(made(0, () => 0));
  const frame = (2 * bits) / 8;
  file.writeUInt16LE(bits === 32 ? 3 : 1, 20);
  file.writeUInt16LE(2, 22);
  file.writeUInt32LE(16_000 * frame, 28);
  file.writeUInt16LE(frame, 32);
  file.writeUInt16LE(bits, 34);
  file.writeUInt32LE(16_000 * frame, 40);
  const sound = Buffer.alloc(16_000 * frame);
  for (let i = 0; i < 16_000; i += 1) {
    for (const [channel, loudness] of [0.5, 0].entries()) {
      const value = loudness * Math.sin(i / 10);
      const at = i * frame + (channel * bits) / 8;
      if (bits === 32) sound.writeFloatLE(value, at);
      else sound.writeIntLE(Math.round(value * 0x7fffff), at, 3);
    }
  }
  return Buffer.concat([file, sound]);
}
