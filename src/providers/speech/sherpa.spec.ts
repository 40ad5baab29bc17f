import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemClock } from '../../core/clock/index.js';
import { allPieces, describeSynthesizer } from '../../../test/support/describe-synthesizer.js';
import { describeTranscriber } from '../../../test/support/describe-transcriber.js';
import { AudioDecoder } from './audio-decoder.js';
import { Ffmpeg } from './ffmpeg.js';
import { loadSherpa, recognitionModelIn, speechModelIn, type Sherpa } from './sherpa-models.js';
import { SherpaSynthesizer } from './sherpa-synthesizer.js';
import { SherpaTranscriber } from './sherpa-transcriber.js';

const clock = new SystemClock();
const ffmpeg = new Ffmpeg({ clock, command: 'there-is-no-such-program' });
const decoder = new AudioDecoder({ clock, maxBytes: 200_000, maxSeconds: 10, queue: 10, ffmpeg });
const folders: string[] = [];

async function folderOf(...files: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'));
  folders.push(folder);
  for (const file of files) await writeFile(join(folder, file), '');
  return folder;
}

/** No model is published on npm: this stands for the native package, and speaks and hears as its types say. */
const native: Sherpa = {
  OfflineTts: {
    createAsync: async () => ({
      numSpeakers: 2,
      generateAsync: async ({ text, speed }) => ({
        samples: Float32Array.from({ length: (text.length * 480) / speed }, (_, i) => Math.sin(i / 9) / 2),
        sampleRate: 22_050,
      }),
    }),
  },
  OfflineRecognizer: {
    createAsync: async () => ({
      createStream: () => ({ acceptWaveform: () => undefined }),
      decodeAsync: async () => ({ text: ' hello from the model ' }),
    }),
  },
};

let voices: string;
let ears: string;

beforeAll(async () => {
  voices = await folderOf('en_US-amy.onnx', 'tokens.txt');
  ears = await folderOf('base-encoder.onnx', 'base-decoder.onnx', 'base-tokens.txt');
});

afterAll(async () => {
  await decoder.close();
  for (const folder of folders) await rm(folder, { recursive: true });
});

describeSynthesizer('sherpa-onnx', () => new SherpaSynthesizer(voices, 5, () => native));
describeTranscriber(
  'sherpa-onnx',
  'hello from the model',
  () => new SherpaTranscriber({ folder: ears, queue: 5, decoder, load: () => native }),
);

describe('a model folder', () => {
  it.each([
    ['vits', ['en_US-amy-medium.onnx', 'en_US-amy-medium.onnx.json', 'tokens.txt']],
    ['kokoro', ['model.onnx', 'voices.bin', 'tokens.txt']],
    ['matcha', ['model-steps-3.onnx', 'vocos-22khz-univ.onnx', 'tokens.txt']],
  ])('is detected as %s for speech', async (kind, files) => {
    expect(await speechModelIn(await folderOf(...files))).toMatchObject({ kind });
  });

  it.each([
    [
      'whisper',
      ['base.en-encoder.onnx', 'base.en-encoder.int8.onnx', 'base.en-decoder.onnx', 'base.en-decoder.int8.onnx', 'base.en-tokens.txt'],
    ],
    ['moonshine', ['preprocess.onnx', 'encode.int8.onnx', 'uncached_decode.int8.onnx', 'cached_decode.int8.onnx', 'tokens.txt']],
    ['transducer', ['encoder-epoch-99.onnx', 'decoder-epoch-99.onnx', 'joiner-epoch-99.onnx', 'tokens.txt']],
    ['sense-voice', ['model.int8.onnx', 'tokens.txt']],
  ])('is detected as %s for recognition', async (kind, files) => {
    const { kind: found, config } = await recognitionModelIn(await folderOf(...files));
    expect(found).toBe(kind);
    if (files.some((file) => file.includes('int8'))) expect(JSON.stringify(config)).toContain('int8');
  });

  it.each([
    ['is not there', async () => '/there/is/no/such/folder'],
    ['is empty', () => folderOf()],
    ['holds something else', () => folderOf('model.gguf')],
  ])('is refused before native code reads it when it %s', async (_what, make) => {
    const folder = await make();
    const subject = new SherpaSynthesizer(folder, 5, () => native);
    await expect(allPieces(subject)).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      details: expect.stringContaining('SHERPA_TTS_DIR'),
    });
    await expect(recognitionModelIn(folder)).rejects.toMatchObject({ details: expect.stringContaining('SHERPA_STT_DIR') });
  });

  it('matches the functions of the installed package', () => {
    const { OfflineTts, OfflineRecognizer } = loadSherpa();
    expect([typeof OfflineTts.createAsync, typeof OfflineRecognizer.createAsync]).toEqual(['function', 'function']);
  });
});
