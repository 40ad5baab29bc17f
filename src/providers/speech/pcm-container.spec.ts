// Files of samples as programs write them, differently.
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { AudioDecoder } from './audio-decoder.js';
import { Ffmpeg } from './ffmpeg.js';

const RATE = 8000;
const FRAMES = 800;
const clock = new FakeClock();
const { signal } = new AbortController();
const decoderWith = (command: string): AudioDecoder =>
  new AudioDecoder({
    clock,
    maxBytes: 1_000_000,
    maxSeconds: 30,
    queue: 10,
    ffmpeg: new Ffmpeg({ clock, command, path: '/usr/bin:/bin' }),
  });
const decoder = decoderWith('there-is-no-such-program');
afterAll(() => decoder.close());

const value = (frame: number): number => 0.5 * Math.sin(frame / 5);
const text = (letters: string): Buffer => Buffer.from(letters, 'latin1');
const u16 = (number: number, big = false): Buffer =>
  bytesOf(2, (bytes) => (big ? bytes.writeUInt16BE(number) : bytes.writeUInt16LE(number)));
const u32 = (number: number, big = false): Buffer =>
  bytesOf(4, (bytes) => (big ? bytes.writeUInt32BE(number) : bytes.writeUInt32LE(number)));
const u64 = (number: bigint, big = false): Buffer =>
  bytesOf(8, (bytes) => (big ? bytes.writeBigInt64BE(number) : bytes.writeBigInt64LE(number)));
function bytesOf(size: number, write: (bytes: Buffer) => unknown): Buffer {
  const bytes = Buffer.alloc(size);
  write(bytes);
  return bytes;
}

/** Samples as whole numbers of a width, or as `float`s; each twice for two channels. */
function sound(bits: number, { big = false, float = false, unsigned = false, channels = 1 } = {}): Buffer {
  const width = bits / 8;
  const bytes = Buffer.alloc(FRAMES * width * channels);
  for (let at = 0; at < FRAMES * channels; at += 1) {
    const sample = value(Math.floor(at / channels));
    const whole = Math.round(sample * (2 ** (bits - 1) - 1));
    const to = at * width;
    if (float) writeFloat(bytes, sample, to, { bits, big });
    else if (unsigned) bytes.writeUInt8(whole + 128, to);
    else if (big) bytes.writeIntBE(whole, to, width);
    else bytes.writeIntLE(whole, to, width);
  }
  return bytes;
}

function writeFloat(bytes: Buffer, sample: number, to: number, { bits, big }: { bits: number; big: boolean }): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  if (bits === 64) view.setFloat64(to, sample, !big);
  else view.setFloat32(to, sample, !big);
}

/** A chunk with the byte behind an odd size, or without it. */
const chunk = (id: string, content: Buffer, { big = false, padded = true, size = content.length } = {}): Buffer =>
  Buffer.concat([text(id), u32(size, big), content, Buffer.alloc(padded ? content.length % 2 : 0)]);
interface Format {
  readonly tag?: number;
  readonly channels?: number;
  readonly block?: number;
  readonly big?: boolean;
  readonly more?: Buffer;
}
const fmt = (bits: number, { tag = 1, channels = 1, block, big = false, more = Buffer.alloc(0) }: Format = {}): Buffer => {
  const short = (number: number): Buffer => u16(number, big);
  const frame = block ?? (bits / 8) * channels;
  const parts = [short(tag), short(channels), u32(RATE, big), u32(RATE * frame, big), short(frame), short(bits), more];
  return chunk('fmt ', Buffer.concat(parts), { big });
};
const riff = (...chunks: Buffer[]): Buffer => file('RIFF', 'WAVE', chunks);
function file(magic: string, kind: string, chunks: Buffer[], big = false): Buffer {
  const content = Buffer.concat(chunks);
  return Buffer.concat([text(magic), u32(content.length + 4, big), text(kind), content]);
}
const extensible = (tag: number, bits: number): Buffer => {
  const guid = Buffer.concat([u16(tag), Buffer.from('000000001000800000aa00389b71', 'hex')]);
  return fmt(bits, { tag: 0xfffe, more: Buffer.concat([u16(22), u16(bits), u32(4), guid]) });
};
const ds64 = (size: bigint): Buffer => chunk('ds64', Buffer.concat([u64(size + 72n), u64(size), u64(0n), u32(0)]));

const DATA = chunk('data', sound(16));
const NOTE = chunk('LIST', text('INFOISFT\x05\0\0\0Lavf5'));
const note = (padded: boolean): Buffer => chunk('note', text('odd'), { padded });
const unknown = (size: number): Buffer => chunk('data', sound(16), { size });

const WAVS: [name: string, file: Buffer][] = [
  ['plain', riff(fmt(16), DATA)],
  ['of two channels', riff(fmt(16, { channels: 2 }), chunk('data', sound(16, { channels: 2 })))],
  ['with chunks before', riff(chunk('JUNK', Buffer.alloc(28)), chunk('bext', Buffer.alloc(603)), NOTE, fmt(16), DATA)],
  ['with odd chunks that are padded', riff(note(true), fmt(16), note(true), DATA)],
  ['with odd chunks that are not padded', riff(chunk('LIST', text('odd'), { padded: false }), fmt(16), note(false), DATA)],
  ['with a pad that is a letter', Buffer.concat([riff(), text('note\x03\0\0\0oddx'), fmt(16), DATA])],
  ['with a long note', riff(fmt(16), chunk('LIST', Buffer.alloc(400_001)), DATA)],
  ['with an odd format', riff(fmt(16, { more: Buffer.from([0, 0, 0]) }), DATA)],
  ['of 8 bits', riff(fmt(8), chunk('data', sound(8, { unsigned: true })))],
  ['of 24 bits', riff(fmt(24), chunk('data', sound(24)))],
  ['of 20 bits', riff(fmt(20, { block: 3 }), chunk('data', sound(24)))],
  ['of 32 bits', riff(fmt(32), chunk('data', sound(32)))],
  ['of floats', riff(fmt(32, { tag: 3 }), chunk('data', sound(32, { float: true })))],
  ['of doubles', riff(fmt(64, { tag: 3 }), chunk('data', sound(64, { float: true })))],
  ['extensible', riff(extensible(1, 24), chunk('data', sound(24)))],
  ['extensible with floats', riff(extensible(3, 32), chunk('data', sound(32, { float: true })))],
  ['with a block size of 0', riff(fmt(16, { block: 0 }), DATA)],
  ['streamed, with a size of 0', riff(fmt(16), unknown(0))],
  ['streamed, with a size of ones', riff(fmt(16), unknown(0xffffffff))],
  ['streamed, with the size of sox', riff(fmt(16), unknown(0x7ffff000))],
  ['with what is behind its samples', riff(fmt(16), DATA, NOTE, text('no chunk at all'))],
  ['RIFX', file('RIFX', 'WAVE', [fmt(16, { big: true }), chunk('data', sound(16, { big: true }), { big: true })], true)],
  ['RF64', file('RF64', 'WAVE', [ds64(1600n), fmt(16), unknown(0xffffffff), NOTE])],
  ['RF64 without a size', file('RF64', 'WAVE', [ds64(0n), fmt(16), unknown(0xffffffff)])],
  ['BW64', file('BW64', 'WAVE', [ds64(1600n), NOTE, fmt(16), unknown(0xffffffff)])],
];

const comm = (bits: number, codec = ''): Buffer => {
  const rate = Buffer.from('400bfa00000000000000', 'hex');
  return chunk('COMM', Buffer.concat([u16(1, true), u32(FRAMES, true), u16(bits, true), rate, text(codec)]), { big: true });
};
const ssnd = (samples: Buffer, offset = 0, size?: number): Buffer =>
  chunk('SSND', Buffer.concat([u32(offset, true), u32(0), Buffer.alloc(offset), samples]), {
    big: true,
    ...(size === undefined ? {} : { size }),
  });
const aiff = (...chunks: Buffer[]): Buffer => file('FORM', 'AIFF', chunks, true);
const aifc = (...chunks: Buffer[]): Buffer => file('FORM', 'AIFC', [chunk('FVER', u32(0xa2805140, true), { big: true }), ...chunks], true);
const mark = (padded: boolean): Buffer => chunk('NAME', text('odd'), { big: true, padded });

const AIFFS: [name: string, file: Buffer][] = [
  ['plain', aiff(comm(16), ssnd(sound(16, { big: true })))],
  ['of 8 bits', aiff(comm(8), ssnd(sound(8)))],
  ['of 24 bits with an offset', aiff(comm(24), ssnd(sound(24, { big: true }), 6))],
  ['with odd chunks that are padded', aiff(mark(true), comm(16), mark(true), ssnd(sound(16, { big: true })))],
  ['with odd chunks that are not padded', aiff(mark(false), comm(16), mark(false), ssnd(sound(16, { big: true })))],
  ['streamed', aiff(comm(16), ssnd(sound(16, { big: true }), 0, 0))],
  ['little-endian', aifc(comm(16, 'sowt\x0enot compressed\0'), ssnd(sound(16)))],
  ['of floats', aifc(comm(32, 'fl32\x0632 bit\0'), ssnd(sound(32, { big: true, float: true })))],
  ['of doubles', aifc(comm(64, 'FL64\0\0'), ssnd(sound(64, { big: true, float: true })))],
  ['of unsigned bytes', aifc(comm(8, 'raw \0\0'), ssnd(sound(8, { unsigned: true })))],
];

const desc = (bits: number, flags: number, codec = 'lpcm'): Buffer => {
  const rate = bytesOf(8, (bytes) => bytes.writeDoubleBE(RATE));
  const numbers = [flags, bits / 8, 1, 1, bits].map((number) => u32(number, true));
  return Buffer.concat([text('desc'), u64(32n, true), rate, text(codec), ...numbers]);
};
const caf = (head: Buffer, samples: Buffer, size = BigInt(samples.length + 4)): Buffer =>
  Buffer.concat([text('caff\0\x01\0\0'), head, text('free'), u64(3n, true), text('odd'), text('data'), u64(size, true), u32(0), samples]);

const OTHERS: [name: string, file: Buffer][] = [
  ['CAF', caf(desc(16, 0), sound(16, { big: true }))],
  ['CAF, little-endian, with more behind', Buffer.concat([caf(desc(24, 2), sound(24)), text('info'), u64(2n, true), text('ab')])],
  ['CAF, streamed', caf(desc(32, 3), sound(32, { float: true }), -1n)],
  ['CAF of 8 bits', caf(desc(8, 0), sound(8))],
  ['AU', Buffer.concat([text('.snd'), ...[32, 1600, 3, RATE, 1, 0, 0].map((n) => u32(n, true)), sound(16, { big: true })])],
  [
    'AU, streamed',
    Buffer.concat([text('.snd'), ...[24, 0xffffffff, 6, RATE, 1].map((n) => u32(n, true)), sound(32, { big: true, float: true })]),
  ],
];

async function samplesOf(bytes: Uint8Array): Promise<{ rate: number; samples: number[] }> {
  const { pieces, sampleRate } = await decoder.decode(bytes, { signal });
  return { rate: sampleRate, samples: pieces.flatMap((piece) => [...piece]) };
}

describe.each([
  ['WAV', WAVS],
  ['AIFF', AIFFS],
  ['another container', OTHERS],
])('%s', (_kind, files) => {
  it.each(files)('%s has the same sound', async (_name, bytes) => {
    const { rate, samples } = await samplesOf(bytes);
    const wrong = samples.filter((sample, frame) => Math.abs(sample / 32_768 - value(frame)) > 0.01);
    expect({ rate, frames: samples.length, wrong }).toEqual({ rate: RATE, frames: FRAMES, wrong: [] });
  });

  it.each(files)('%s that is cut off has what is there', async (_name, bytes) => {
    const { samples } = await samplesOf(bytes.subarray(0, bytes.length - 301));
    expect(samples.length).toBeGreaterThan(400);
    expect(samples.every((sample, frame) => Math.abs(sample / 32_768 - value(frame)) <= 0.01)).toBe(true);
  });

  it.each(files)('%s that is damaged is refused, or decoded', async (_name, bytes) => {
    for (let at = 4; at < 60; at += 9) {
      const damaged = Uint8Array.from(bytes, (byte, index) => (index === at ? byte ^ 0xff : byte));
      const outcome: unknown = await decoder.decode(damaged, { signal }).catch((error: unknown) => error);
      if (outcome instanceof Error) {
        expect(['NO_AUDIO_TRACK', 'UNSUPPORTED_MEDIA_TYPE', 'AUDIO_TOO_LONG']).toContain((outcome as { code?: string }).code);
      }
    }
  });
});

describe('what no decoder here reads', () => {
  const gsm = riff(fmt(16, { tag: 0x31 }), DATA);

  it('is refused with the way out where there is no ffmpeg', async () => {
    await expect(samplesOf(gsm)).rejects.toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE', details: expect.stringContaining('FFMPEG_PATH') });
    await expect(samplesOf(caf(desc(16, 0, 'alac'), sound(16)))).rejects.toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' });
    await expect(samplesOf(riff(fmt(16)))).rejects.toMatchObject({ code: 'NO_AUDIO_TRACK', details: expect.stringContaining('WAV') });
  });

  it('goes to ffmpeg, with its container and without a network', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-ffmpeg-'));
    const program = join(folder, 'ffmpeg');
    await writeFile(program, `#!/bin/sh\necho "$@" > ${folder}/arguments\nprintf 'abcdef'\n`);
    await chmod(program, 0o755);
    const own = decoderWith(program);
    try {
      const { pieces } = await own.decode(gsm, { signal });
      expect(pieces.flatMap((piece) => [...piece])).toHaveLength(3);
      expect(await readFile(join(folder, 'arguments'), 'utf8')).toMatch(/-protocol_whitelist file,pipe -f wav -i /);
      await expect(own.decode(riff(fmt(16), DATA), { signal })).resolves.toMatchObject({ seconds: FRAMES / RATE });
    } finally {
      await own.close();
      await rm(folder, { recursive: true });
    }
  });
});
