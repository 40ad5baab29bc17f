import type { Pcm } from './pcm.js';

const HEADER_BYTES = 44;
// Marks an unknown length; players then read to the end of the stream.
const UNKNOWN_LENGTH = 0xffffffff;

/** The header of a mono 16-bit WAV file. */
export function wavHeader(sampleRate: number, samples?: number): Uint8Array<ArrayBuffer> {
  const header = new DataView(new ArrayBuffer(HEADER_BYTES));
  const write = (offset: number, text: string): void => {
    for (const [i, letter] of [...text].entries()) header.setUint8(offset + i, letter.charCodeAt(0));
  };
  write(0, 'RIFF');
  header.setUint32(4, samples === undefined ? UNKNOWN_LENGTH : HEADER_BYTES - 8 + 2 * samples, true);
  write(8, 'WAVEfmt ');
  header.setUint32(16, 16, true);
  header.setUint16(20, 1, true);
  header.setUint16(22, 1, true);
  header.setUint32(24, sampleRate, true);
  header.setUint32(28, 2 * sampleRate, true);
  header.setUint16(32, 2, true);
  header.setUint16(34, 16, true);
  write(36, 'data');
  header.setUint32(40, samples === undefined ? UNKNOWN_LENGTH : 2 * samples, true);
  return new Uint8Array(header.buffer);
}

/** Converts samples to 16-bit little-endian bytes. */
export function toPcm16(samples: Int16Array): Uint8Array<ArrayBuffer> {
  const bytes = new DataView(new ArrayBuffer(2 * samples.length));
  for (let i = 0; i < samples.length; i += 1) bytes.setInt16(2 * i, samples[i] ?? 0, true);
  return new Uint8Array(bytes.buffer);
}

/** A complete WAV file. All pieces must have the same sample rate. */
export function wavFile(pieces: readonly Pcm[]): Uint8Array<ArrayBuffer> {
  const samples = pieces.reduce((sum, piece) => sum + piece.samples.length, 0);
  const file = new Uint8Array(HEADER_BYTES + 2 * samples);
  file.set(wavHeader(pieces[0]?.sampleRate ?? 16_000, samples));
  let next = HEADER_BYTES;
  for (const piece of pieces) {
    file.set(toPcm16(piece.samples), next);
    next += 2 * piece.samples.length;
  }
  return file;
}

/** Converts 16-bit little-endian bytes to samples. */
export function fromPcm16(bytes: Uint8Array): Int16Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Int16Array.from({ length: bytes.byteLength >> 1 }, (_, i) => view.getInt16(2 * i, true));
}
