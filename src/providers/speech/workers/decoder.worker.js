// Decodes recordings to one channel. Each session is one recording.
// In: { format, maxSeconds, rate, bytes } first, then { bytes } as often as wanted, then {}. Out, each time: { samples,
// sampleRate, peak }, what came of it so far; without a rate it keeps that of the recording. Errors carry the code NO_AUDIO_TRACK, UNKNOWN_CODEC or AUDIO_TOO_LONG.
import { serve } from '../../../core/workers/serve.js';
import { Resampler } from './resampler.js';

// Rates beyond these are no recordings, but would cost memory and time.
const LOWEST_RATE = 1000;
const HIGHEST_RATE = 768_000;

// The second value: how many bytes a decoder gets at a time. In some formats a few bytes are minutes of silence: what
// a piece unfolds to has to fit into memory before it is counted.
const DECODERS = {
  pcm: [() => import('./pcm-container.js'), 64 * 1024],
  mp3: [() => import('@audio/decode-mp3'), 16 * 1024],
  flac: [() => import('@audio/decode-flac'), 2 * 1024],
  opus: [() => import('@audio/decode-opus'), 4 * 1024],
  vorbis: [() => import('@audio/decode-vorbis'), 4 * 1024],
  webm: [() => import('@audio/decode-webm'), 4 * 1024],
};

serve(() => {
  let decoder;
  let pieceBytes;
  let limit;
  let seconds = 0;
  let resampler;
  let ownRate;
  let rate;

  /** One channel of the wanted rate, from what the decoder gave. */
  function take({ channelData, sampleRate, samplesDecoded }) {
    const length = Math.min(channelData?.[0]?.length ?? 0, samplesDecoded ?? Number.POSITIVE_INFINITY);
    if (length === 0) return [];
    if (!(sampleRate >= LOWEST_RATE && sampleRate <= HIGHEST_RATE)) throw refusal('NO_AUDIO_TRACK', `sample rate ${sampleRate}`);
    seconds += length / sampleRate;
    if (seconds > limit) throw refusal('AUDIO_TOO_LONG', 'too long');
    const mono = new Float32Array(length);
    for (const channel of channelData) for (let i = 0; i < length; i += 1) mono[i] += channel[i] / channelData.length;
    rate ??= sampleRate;
    const rest = ownRate === sampleRate || resampler === undefined ? [] : [resampler.flush()];
    if (ownRate !== sampleRate) resampler = new Resampler((ownRate = sampleRate), rate);
    return [...rest, resampler.push(mono)];
  }

  async function decode(bytes) {
    const made = [];
    try {
      for (let from = 0; from < bytes.length; from += pieceBytes) {
        made.push(...take(await decoder.decode(bytes.subarray(from, from + pieceBytes))));
      }
      return made;
    } catch (error) {
      // A recording that is damaged further on is worth what was heard until then.
      if (error?.code !== undefined || seconds === 0) throw error;
      return made;
    }
  }

  async function finish() {
    const made = [];
    try {
      made.push(...take((await decoder.flush?.()) ?? {}));
    } catch (error) {
      if (error?.code !== undefined || seconds === 0) throw error;
    }
    if (seconds === 0) throw refusal('NO_AUDIO_TRACK', 'no sound in it');
    return [...made, resampler.flush()];
  }

  return {
    async call({ format, maxSeconds, rate: wanted, bytes }, transfer) {
      try {
        if (format !== undefined) {
          const [load, most] = DECODERS[format];
          decoder = await (await load()).decoder();
          pieceBytes = most;
          limit = maxSeconds;
          rate = wanted;
        }
        const result = packed(bytes === undefined ? await finish() : await decode(bytes));
        transfer.push(result.samples.buffer);
        return { ...result, sampleRate: rate };
      } catch (error) {
        throw error?.code === undefined ? refusal('NO_AUDIO_TRACK', String(error?.message ?? error)) : error;
      }
    },
    close() {
      decoder?.free?.();
    },
  };
});

function refusal(code, message) {
  return Object.assign(new Error(message), { code });
}

function packed(pieces) {
  const samples = new Int16Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let next = 0;
  let peak = 0;
  for (const piece of pieces) {
    for (const value of piece) {
      // Not a number comes out of damaged floating point files.
      const sample = Math.max(-32_768, Math.min(32_767, Math.round((value || 0) * 32_768)));
      samples[next++] = sample;
      if (Math.abs(sample) > peak) peak = Math.abs(sample);
    }
  }
  return { samples, peak };
}
