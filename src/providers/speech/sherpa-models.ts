import { createRequire } from 'node:module';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../core/errors/index.js';

/** The used part of `sherpa-onnx-node`, which has no types. */
export interface Sherpa {
  readonly OfflineTts: { createAsync(config: object): Promise<SherpaTts> };
  readonly OfflineRecognizer: { createAsync(config: object): Promise<SherpaRecognizer> };
}

export interface SherpaTts {
  readonly numSpeakers: number;
  generateAsync(request: { text: string; sid: number; speed: number; onProgress?: () => boolean }): Promise<{
    samples: Float32Array;
    sampleRate: number;
  }>;
}

export interface SherpaRecognizer {
  createStream(): SherpaStream;
  decodeAsync(stream: SherpaStream): Promise<{ text: string; lang?: string; tokens?: string[]; timestamps?: number[] }>;
}

interface SherpaStream {
  acceptWaveform(wave: { samples: Float32Array; sampleRate: number }): void;
}

const THREADS = 2;

/** Loads the native package. @throws AppError MODEL_UNAVAILABLE when it is not installed */
export function loadSherpa(): Sherpa {
  try {
    return createRequire(import.meta.url)('sherpa-onnx-node') as Sherpa;
  } catch (error) {
    const details = 'It is an optional dependency: run npm install sherpa-onnx-node on a supported platform.';
    throw new AppError('MODEL_UNAVAILABLE', 'The package sherpa-onnx-node is not installed.', details, error);
  }
}

/**
 * Detects the kind of speech model in a folder from its files.
 *
 * @throws AppError MODEL_UNAVAILABLE for an unknown kind, which would crash the native code
 */
export async function speechModelIn(folder: string): Promise<{ kind: string; config: object }> {
  const files = await filesIn(folder, 'SHERPA_TTS_DIR');
  const tokens = files.find(/^tokens\.txt$/);
  const data = files.find(/^espeak-ng-data$/);
  const dictionary = files.find(/^dict$/);
  const lexicon = files.find(/^lexicon(-us-en)?\.txt$/);
  const common = { tokens, dataDir: data ?? '', dictDir: dictionary ?? '', lexicon: lexicon ?? '' };
  const model = files.find(/(?<!hifigan.*|vocos.*)\.onnx$/);
  const voices = files.find(/^voices\.bin$/);
  const vocoder = files.find(/^(hifigan|vocos).*\.onnx$/);
  if (tokens === undefined || model === undefined) throw unknownModel(folder, 'SHERPA_TTS_DIR', 'tokens.txt and a model (*.onnx)');
  if (voices !== undefined) return { kind: 'kokoro', config: ttsConfig({ kokoro: { ...common, model, voices } }) };
  if (vocoder !== undefined) return { kind: 'matcha', config: ttsConfig({ matcha: { ...common, acousticModel: model, vocoder } }) };
  return { kind: 'vits', config: ttsConfig({ vits: { ...common, model } }) };
}

/** Same as `speechModelIn`, for recognition models. */
export async function recognitionModelIn(folder: string): Promise<{ kind: string; config: object }> {
  const files = await filesIn(folder, 'SHERPA_STT_DIR');
  const tokens = files.find(/tokens\.txt$/);
  const encoder = files.find(/encoder.*\.onnx$/);
  const decoder = files.find(/decoder.*\.onnx$/);
  const joiner = files.find(/joiner.*\.onnx$/);
  const moonshine = {
    preprocessor: files.find(/^preprocess.*\.onnx$/),
    encoder: files.find(/^encode\b.*\.onnx$/),
    uncachedDecoder: files.find(/^uncached_decode.*\.onnx$/),
    cachedDecoder: files.find(/^cached_decode.*\.onnx$/),
  };
  const model = files.find(/^model.*\.onnx$/);
  if (tokens !== undefined) {
    if (Object.values(moonshine).every((file) => file !== undefined)) {
      return { kind: 'moonshine', config: asrConfig(tokens, { moonshine }) };
    }
    if (encoder && decoder && joiner) {
      return { kind: 'transducer', config: asrConfig(tokens, { transducer: { encoder, decoder, joiner } }) };
    }
    if (encoder && decoder) return { kind: 'whisper', config: asrConfig(tokens, { whisper: { encoder, decoder } }) };
    if (model) return { kind: 'sense-voice', config: asrConfig(tokens, { senseVoice: { model, useInverseTextNormalization: 1 } }) };
  }
  throw unknownModel(folder, 'SHERPA_STT_DIR', 'tokens.txt and the *.onnx files of Whisper, Moonshine, SenseVoice or a transducer');
}

function ttsConfig(model: object): object {
  return { model: { ...model, numThreads: THREADS, provider: 'cpu', debug: 0 }, maxNumSentences: 1 };
}

function asrConfig(tokens: string, model: object): object {
  return {
    featConfig: { sampleRate: 16_000, featureDim: 80 },
    modelConfig: { ...model, tokens, numThreads: THREADS, provider: 'cpu', debug: 0 },
  };
}

/** Lists the files, smaller variants first, because published folders also contain the quantized model. */
async function filesIn(folder: string, setting: string): Promise<{ find(name: RegExp): string | undefined }> {
  let names: string[];
  try {
    names = (await readdir(folder)).sort((a, b) => Number(b.includes('int8')) - Number(a.includes('int8')) || a.localeCompare(b));
  } catch (error) {
    throw new AppError('MODEL_UNAVAILABLE', 'The folder of the speech model cannot be read.', `Check ${setting}.`, error);
  }
  return {
    find: (wanted) => {
      const name = names.find((candidate) => wanted.test(candidate));
      return name === undefined ? undefined : join(folder, name);
    },
  };
}

function unknownModel(folder: string, setting: string, expected: string): AppError {
  const cause = new Error(`in ${folder}`);
  return new AppError(
    'MODEL_UNAVAILABLE',
    'The folder of the speech model does not contain a supported model.',
    `${setting} needs ${expected}.`,
    cause,
  );
}
