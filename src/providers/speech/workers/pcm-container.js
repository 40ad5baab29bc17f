// Recordings that are no more than samples behind a header: WAV (RIFF, RIFX, RF64, BW64), AIFF and AIFF-C, CAF and AU. The header is read here, as
// far as programs write it differently; the samples are decoded by @audio/decode-wav, which gets them with a plain header, little-endian.
import { decoder as wavDecoder } from '@audio/decode-wav';

const PCM = 1;
const FLOAT = 3;
const ALAW = 6;
const ULAW = 7;
const MS_ADPCM = 2;
const IMA_ADPCM = 0x11;
const EXTENSIBLE = 0xfffe;

const UNKNOWN_SIZE = 0xffffffff;
/** More than any header has before its samples, apart from pictures and notes, which are skipped. */
const MOST_HEADER_BYTES = 1024 * 1024;
const CHUNKS_OF_WAV = new Set([
  'fmt ',
  'data',
  'LIST',
  'fact',
  'bext',
  'JUNK',
  'junk',
  'PAD ',
  'ds64',
  'cue ',
  'smpl',
  'id3 ',
  'ID3 ',
  'iXML',
  'axml',
]);

/** Codecs of AIFF-C: the tag in WAV, whether it is big-endian, and the bits of a sample where they are not in COMM. */
const AIFC = {
  NONE: [PCM, true],
  twos: [PCM, true],
  sowt: [PCM, false],
  in24: [PCM, true, 24],
  in32: [PCM, true, 32],
  fl32: [FLOAT, true, 32],
  FL32: [FLOAT, true, 32],
  fl64: [FLOAT, true, 64],
  FL64: [FLOAT, true, 64],
  alaw: [ALAW, false, 8],
  ALAW: [ALAW, false, 8],
  ulaw: [ULAW, false, 8],
  ULAW: [ULAW, false, 8],
};
const AU = { 1: [ULAW, 8], 2: [PCM, 8], 3: [PCM, 16], 4: [PCM, 24], 5: [PCM, 32], 6: [FLOAT, 32], 7: [FLOAT, 64], 27: [ALAW, 8] };

/** A decoder as those of the other formats: `decode` takes the next bytes of the file. @throws Error for what is damaged, with the code UNKNOWN_CODEC for what another program may decode */
export function decoder() {
  const samples = wavDecoder();
  const reading = headerOf();
  let wanted = reading.next().value;
  let held = new Uint8Array(0);
  let format;
  let left = Number.POSITIVE_INFINITY;

  /** Reads the header, as far as it is there. */
  function readHeader() {
    while (format === undefined) {
      if (wanted.skip > 0) {
        const skipped = Math.min(wanted.skip, held.length);
        held = held.subarray(skipped);
        wanted.skip -= skipped;
        if (wanted.skip > 0) return;
      } else if (held.length < wanted.bytes) return;
      const given = wanted.bytes === undefined ? undefined : Buffer.from(held.subarray(0, wanted.bytes));
      if (wanted.bytes !== undefined && !wanted.stays) held = held.subarray(wanted.bytes);
      const next = reading.next(given);
      if (!next.done) wanted = next.value;
      else {
        format = next.value;
        left = format.size;
        samples.decode(plainHeader(format));
      }
    }
  }

  return {
    decode(bytes) {
      held = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
      try {
        readHeader();
      } catch (error) {
        // Those of Buffer have codes of their own.
        throw error.code === 'UNKNOWN_CODEC' ? error : new Error(error.message);
      }
      if (format === undefined || left <= 0) return {};
      const available = Math.min(held.length, left);
      const whole = available - (available % format.block);
      const part = Uint8Array.from(held.subarray(0, whole));
      held = held.slice(whole, available);
      left -= whole;
      return whole === 0 ? {} : samples.decode(toLittleEndian(part, format));
    },
    flush() {
      if (format === undefined) throw new Error('the header is not complete');
      return samples.flush();
    },
    free() {
      samples.free();
    },
  };
}

/** Reads a header: yields how many bytes it needs, or skips, and returns the format of the samples that follow. */
function* headerOf() {
  const magic = (yield { bytes: 4 }).toString('latin1');
  if (magic === 'RIFF' || magic === 'RF64' || magic === 'BW64') return yield* wav(false);
  if (magic === 'RIFX') return yield* wav(true);
  if (magic === 'FORM') return yield* aiff();
  if (magic === 'caff') return yield* caf();
  if (magic === '.snd') return yield* au();
  throw new Error('neither WAV nor AIFF, CAF or AU');
}

function* wav(isBig) {
  if ((yield { bytes: 8 }).toString('latin1', 4) !== 'WAVE') throw new Error('not WAV');
  let format;
  let longSize;
  for (;;) {
    const head = yield { bytes: 8 };
    const id = head.toString('latin1', 0, 4);
    const size = isBig ? head.readUInt32BE(4) : head.readUInt32LE(4);
    if (id === 'data') {
      if (format === undefined) throw new Error('samples before their format');
      return { ...format, size: sizeOf(size, longSize) };
    }
    if (id === 'fmt ') format = wavFormat(yield* content(size), isBig);
    else if (id === 'ds64') longSize = Number((yield* content(size)).readBigUInt64LE(8));
    else yield { skip: size };
    if (size % 2 === 1) yield* padding();
  }
}

/** Bytes of the samples. Programs that cannot go back leave a size of 0 or of all ones. */
function sizeOf(size, longSize) {
  const real = size === UNKNOWN_SIZE && longSize !== undefined ? longSize : size;
  return real === 0 || (real === UNKNOWN_SIZE && longSize === undefined) || !Number.isSafeInteger(real) ? Number.POSITIVE_INFINITY : real;
}

function* content(size) {
  if (size > MOST_HEADER_BYTES) throw new Error('the header is too long');
  return yield { bytes: size };
}

/** Skips the byte behind a chunk of odd size, which some programs leave out. */
function* padding() {
  const next = (yield { bytes: 5, stays: true }).toString('latin1');
  if (CHUNKS_OF_WAV.has(next.substring(0, 4))) return;
  if (CHUNKS_OF_WAV.has(next.substring(1)) || !/^[ -~]{4}/.test(next)) yield { skip: 1 };
}

function wavFormat(bytes, isBig) {
  if (bytes.length < 16) throw new Error('the format is not complete');
  const short = (at) => (isBig ? bytes.readUInt16BE(at) : bytes.readUInt16LE(at));
  const tag = short(0) === EXTENSIBLE && bytes.length >= 26 ? short(24) : short(0);
  const rate = isBig ? bytes.readUInt32BE(4) : bytes.readUInt32LE(4);
  if (tag !== MS_ADPCM && tag !== IMA_ADPCM) return plain({ tag, channels: short(2), rate, bits: short(14), isBig });
  if (isBig || short(12) === 0) throw unknownCodec('ADPCM of an unknown form');
  return { header: bytes, block: short(12), width: 1, isBig: false, isSigned: false };
}

function* aiff() {
  const kind = (yield { bytes: 8 }).toString('latin1', 4);
  if (kind !== 'AIFF' && kind !== 'AIFC') throw new Error('not AIFF');
  let format;
  for (;;) {
    const head = yield { bytes: 8 };
    const id = head.toString('latin1', 0, 4);
    const size = head.readUInt32BE(4);
    if (id === 'SSND') {
      if (format === undefined) throw new Error('samples before their format');
      const offset = (yield { bytes: 8 }).readUInt32BE(0);
      yield { skip: offset };
      return { ...format, size: sizeOf(size <= 8 + offset ? 0 : size) - (size <= 8 + offset ? 0 : 8 + offset) };
    }
    if (id === 'COMM') format = aiffFormat(yield* content(size), kind);
    else yield { skip: size };
    if (size % 2 === 1) yield* paddingOfAiff();
  }
}

function* paddingOfAiff() {
  const next = (yield { bytes: 5, stays: true }).toString('latin1');
  if (!/^(?:COMM|SSND)/.test(next) && (/^.(?:COMM|SSND)/s.test(next) || !/^[ -~]{4}/.test(next))) yield { skip: 1 };
}

function aiffFormat(bytes, kind) {
  const codec = kind === 'AIFF' ? 'NONE' : bytes.toString('latin1', 18, 22);
  const known = AIFC[codec];
  const isUnsigned = codec === 'raw ';
  if (known === undefined && !isUnsigned) throw unknownCodec(`AIFF-C with the codec ${codec}`);
  const [tag, isBig, bits = bytes.readUInt16BE(6)] = known ?? [PCM, false, 8];
  const exponent = (bytes.readUInt16BE(8) & 0x7fff) - 16_383;
  const rate = bytes.readUInt32BE(10) * 2 ** (exponent - 31) + bytes.readUInt32BE(14) * 2 ** (exponent - 63);
  return plain({ tag, channels: bytes.readUInt16BE(0), rate: Math.round(rate), bits, isBig, isSigned: !isUnsigned });
}

function* caf() {
  yield { bytes: 4 };
  let format;
  for (;;) {
    const head = yield { bytes: 12 };
    const id = head.toString('latin1', 0, 4);
    const size = Number(head.readBigInt64BE(4));
    if (id === 'data') {
      if (format === undefined) throw new Error('samples before their format');
      // The number of edits.
      yield { bytes: 4 };
      return { ...format, size: size <= 4 ? Number.POSITIVE_INFINITY : size - 4 };
    }
    if (size < 0) throw new Error(`chunk ${id} of an unknown size`);
    if (id === 'desc') format = cafFormat(yield* content(size));
    else yield { skip: size };
  }
}

function cafFormat(bytes) {
  const codec = bytes.toString('latin1', 8, 12);
  const flags = bytes.readUInt32BE(12);
  const rest = { rate: Math.round(bytes.readDoubleBE(0)), channels: bytes.readUInt32BE(24) };
  if (codec === 'alaw' || codec === 'ulaw') return plain({ ...rest, tag: codec === 'alaw' ? ALAW : ULAW, bits: 8, isBig: false });
  if (codec !== 'lpcm') throw unknownCodec(`CAF with the codec ${codec}`);
  return plain({ ...rest, tag: (flags & 1) === 1 ? FLOAT : PCM, bits: bytes.readUInt32BE(28), isBig: (flags & 2) === 0, isSigned: true });
}

function* au() {
  const head = yield { bytes: 20 };
  const [tag, bits] = AU[head.readUInt32BE(8)] ?? [];
  if (tag === undefined) throw unknownCodec(`AU with the encoding ${head.readUInt32BE(8)}`);
  yield { skip: Math.max(0, head.readUInt32BE(0) - 24) };
  const format = plain({ tag, rate: head.readUInt32BE(12), channels: head.readUInt32BE(16), bits, isBig: true, isSigned: true });
  return { ...format, size: sizeOf(head.readUInt32BE(4)) };
}

/** Samples of a fixed width. Those of 8 bits are unsigned in WAV, and signed elsewhere. */
function plain({ tag, channels, rate, bits, isBig, isSigned = false }) {
  const width = tag === ALAW || tag === ULAW ? 1 : Math.ceil(bits / 8);
  const isKnown = tag === PCM ? width >= 1 && width <= 4 : tag === FLOAT ? width === 4 || width === 8 : tag === ALAW || tag === ULAW;
  if (!isKnown) throw unknownCodec(`samples of the kind ${tag} with ${bits} bits`);
  if (channels < 1 || channels > 1024) throw new Error(`${channels} channels`);
  const header = Buffer.alloc(16);
  header.writeUInt16LE(tag, 0);
  header.writeUInt16LE(channels, 2);
  header.writeUInt32LE(rate >>> 0, 4);
  header.writeUInt32LE((rate * width * channels) >>> 0, 8);
  header.writeUInt16LE(width * channels, 12);
  header.writeUInt16LE(8 * width, 14);
  return { header, block: width * channels, width, isBig, isSigned: isSigned && tag === PCM && width === 1 };
}

function unknownCodec(message) {
  return Object.assign(new Error(message), { code: 'UNKNOWN_CODEC' });
}

function plainHeader({ header }) {
  const head = Buffer.alloc(20);
  head.write('RIFF\xff\xff\xff\xffWAVEfmt ', 'latin1');
  head.writeUInt32LE(header.length, 16);
  return Buffer.concat([head, header, Buffer.from('data\xff\xff\xff\xff', 'latin1')]);
}

/** Changes the bytes in their place. */
function toLittleEndian(bytes, { width, isBig, isSigned }) {
  if (isSigned) for (let i = 0; i < bytes.length; i += 1) bytes[i] ^= 0x80;
  if (isBig && width > 1) for (let i = 0; i < bytes.length; i += width) bytes.subarray(i, i + width).reverse();
  return bytes;
}
