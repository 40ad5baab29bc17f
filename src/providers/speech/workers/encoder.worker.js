// Makes MP3 and Ogg Vorbis, piece by piece. Each session is one file.
// In: { format, sampleRate } first, then { samples } as often as wanted, then {}. Out, each time: the bytes so far.
import { createMp3Encoder, createOggEncoder } from 'wasm-media-encoders';
import { serve } from '../../../core/workers/serve.js';

// What one call of the encoder gets: its buffers grow to the longest and never shrink.
const MOST_SAMPLES = 16_384;

serve(() => {
  let encoder;
  return {
    async call({ format, sampleRate, samples }, transfer) {
      if (format !== undefined) {
        encoder = await (format === 'mp3' ? createMp3Encoder() : createOggEncoder());
        encoder.configure({ channels: 1, sampleRate, ...(format === 'mp3' ? { bitrate: 64 } : { vbrQuality: 4 }) });
        return new Uint8Array(0);
      }
      const pieces = samples === undefined ? [encoder.finalize().slice()] : [];
      for (let from = 0; from < (samples?.length ?? 0); from += MOST_SAMPLES) {
        const piece = Float32Array.from(samples.subarray(from, from + MOST_SAMPLES), (sample) => sample / 32_768);
        pieces.push(encoder.encode([piece]).slice());
      }
      const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
      let next = 0;
      for (const piece of pieces) {
        bytes.set(piece, next);
        next += piece.length;
      }
      transfer.push(bytes.buffer);
      return bytes;
    },
    close() {
      encoder = undefined;
    },
  };
});
