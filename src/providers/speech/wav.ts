import type { Pcm } from './pcm.js';

const HEADER_BYTES = 44;
// What stands for a length that is not known when the header goes out; players read to the end then.
const UNKNOWN = 0xffffffff;

/** The header of a WAV file of one channel of signed 16 bit samples. */
export function wavHeader(sampleRate: number, samples?: number): Uint8Array<ArrayBuffer> {
  const header = new DataView(new ArrayBuffer(HEADER_BYTES));
  const write = (offset: number, text: string): void => {
    for (const [i, letter] of [...text].entries()) header.setUint8(offset + i, letter.charCodeAt(0));
  };
  write(0, 'RIFF');
  header.setUint32(4, samples === undefined ? UNKNOWN : HEADER_BYTES - 8 + 2 * samples, true);
  write(8, 'WAVEfmt ');
  header.setUint32(16, 16, true);
  header.setUint16(20, 1, true);
  header.setUint16(22, 1, true);
  header.setUint32(24, sampleRate, true);
  header.setUint32(28, 2 * sampleRate, true);
  header.setUint16(32, 2, true);
  header.setUint16(34, 16, true);
  write(36, 'data');
  header.setUint32(40, samples === undefined ? UNKNOWN : 2 * samples, true);
  return new Uint8Array(header.buffer);
}

/** The samples as bytes, little end first. */
export function littleEndian(samples: Int16Array): Uint8Array<ArrayBuffer> {
  const bytes = new DataView(new ArrayBuffer(2 * samples.length));
  for (let i = 0; i < samples.length; i += 1) bytes.setInt16(2 * i, samples[i] ?? 0, true);
  return new Uint8Array(bytes.buffer);
}

/** A whole WAV file of pieces that have one sample rate. */
export function wavFile(pieces: readonly Pcm[]): Uint8Array<ArrayBuffer> {
  const samples = pieces.reduce((sum, piece) => sum + piece.samples.length, 0);
  const file = new Uint8Array(HEADER_BYTES + 2 * samples);
  file.set(wavHeader(pieces[0]?.sampleRate ?? 16_000, samples));
  let next = HEADER_BYTES;
  for (const piece of pieces) {
    file.set(littleEndian(piece.samples), next);
    next += 2 * piece.samples.length;
  }
  return file;
}

/** The samples that these bytes are, little end first. */
export function fromLittleEndian(bytes: Uint8Array): Int16Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Int16Array.from({ length: bytes.byteLength >> 1 }, (_, i) => view.getInt16(2 * i, true));
}
