import { afterEach, describe, expect, it } from '@jest/globals';
import { Clock, SystemClock, type Cancel } from '../../core/clock/index.js';
import { EmbeddedEncoder } from './embedded-encoder.js';
import { similarity } from './text-pieces.js';

/** Time that stands still until the test moves it. */
class StoppedClock extends Clock {
  private time = 0;
  private readonly tasks = new Set<{ at: number; task: () => void }>();

  override now(): number {
    return this.time;
  }

  override at(instant: number, task: () => void): Cancel {
    const entry = { at: instant, task };
    this.tasks.add(entry);
    return () => void this.tasks.delete(entry);
  }

  pass(ms: number): void {
    this.time += ms;
    for (const entry of [...this.tasks]) {
      if (entry.at <= this.time && this.tasks.delete(entry)) entry.task();
    }
  }
}

const encoders: EmbeddedEncoder[] = [];

afterEach(async () => {
  await Promise.all(encoders.splice(0).map((encoder) => encoder.close()));
});

function encoder(clock: Clock = new SystemClock(), script?: URL): EmbeddedEncoder {
  const made = new EmbeddedEncoder(clock, script);
  encoders.push(made);
  return made;
}

/** A worker that answers as the real one does, with vectors whose first number is `number`, an expression on `texts`. */
function fakeWorker(number: string, before = ''): URL {
  const source = `import { parentPort, threadId } from 'node:worker_threads';
    let batches = 0;
    parentPort.on('message', (texts) => {
      batches += 1;
      ${before}
      const vectors = new Float32Array(texts.length * 512);
      texts.forEach((text, i) => { vectors[i * 512] = 1; vectors[i * 512 + 1] = ${number}; });
      parentPort.postMessage({ vectors });
    });`;
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}

/** The number of the fake worker, back out of the normalised vector. */
function numberOf(vector: Float32Array | undefined): number {
  return Math.round((vector?.[1] ?? 0) / (vector?.[0] ?? 1));
}

describe('EmbeddedEncoder', () => {
  it('puts texts that mean the same near each other', async () => {
    const [dogs, puppies, rent] = await encoder().embed(['I love dogs.', 'I adore puppies!', 'The rent is due on Monday.']);
    if (dogs === undefined || puppies === undefined || rent === undefined) throw new Error('vectors are missing');
    expect(similarity(dogs, puppies)).toBeGreaterThan(0.6);
    expect(similarity(dogs, rent)).toBeLessThan(0.3);
  });

  it('gives vectors of length 1 and of the dimension it promises', async () => {
    const subject = encoder();
    for (const vector of await subject.embed(['short', 'word '.repeat(450), '\ud800 😀'])) {
      expect(vector).toHaveLength(subject.dimension);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }
  });

  it('gives a zero vector for blank texts without starting the engine', async () => {
    const subject = encoder(new SystemClock(), new URL('data:text/javascript,throw new Error("started")'));
    expect(await subject.embed(['', ' \n\t'])).toEqual([new Float32Array(512), new Float32Array(512)]);
    expect(subject.warm).toBe(false);
  });

  it('keeps vectors and texts together when batches are shared by many calls', async () => {
    const subject = encoder(new SystemClock(), fakeWorker('Number(text)'));
    const calls = Array.from({ length: 40 }, (_, call) => subject.embed([String(call), ' ', String(call + 100)]));
    const answers = await Promise.all(calls);
    expect(answers.map(([first, , last]) => [numberOf(first), numberOf(last)])).toEqual(answers.map((_, call) => [call, call + 100]));
  });

  it('sends at most 32 texts at a time and lets a short call overtake a long one', async () => {
    const subject = encoder(new SystemClock(), fakeWorker('batches', 'if (texts.length > 32) throw new Error("too many");'));
    const long = subject.embed(Array.from({ length: 320 }, (_, i) => `text ${i}`));
    const short = await subject.embed(['a question']);
    expect(numberOf(short[0])).toBeLessThanOrEqual(3);
    expect(numberOf((await long).at(-1))).toBe(11);
  });

  it('sends fewer texts at a time when they are long', async () => {
    const subject = encoder(new SystemClock(), fakeWorker('texts.length'));
    const vectors = await subject.embed(Array.from({ length: 20 }, () => 'word '.repeat(100)));
    expect(vectors.map(numberOf)).toEqual([...Array.from({ length: 18 }, () => 9), 2, 2]);
  });

  it('averages the pieces of a long text', async () => {
    const subject = encoder(new SystemClock(), fakeWorker('text.split(" ").length'));
    const [vector] = await subject.embed(['word '.repeat(300)]);
    expect(numberOf(vector)).toBe(100);
  });

  it('fails the calls of a worker that dies, and starts another one for the rest', async () => {
    const subject = encoder(new SystemClock(), fakeWorker('1', 'if (texts.includes("die")) process.exit(1);'));
    await subject.embed(['fine']);
    await expect(subject.embed(['die'])).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    expect(subject.warm).toBe(false);
    await expect(subject.embed(['fine'])).resolves.toHaveLength(1);
  });

  it('fails each call when the worker cannot even start', async () => {
    const subject = encoder(new SystemClock(), new URL('data:text/javascript,throw new Error("no engine")'));
    const calls = [subject.embed(['a']), subject.embed(['b'])];
    for (const call of calls) {
      await expect(call).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE', cause: expect.objectContaining({ message: 'no engine' }) });
    }
  });

  it('fails a call when the engine does, and goes on with the same worker', async () => {
    const subject = encoder(
      new SystemClock(),
      fakeWorker('batches', 'if (batches === 1) return parentPort.postMessage({ error: "bad text" });'),
    );
    await expect(subject.embed(['a'])).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE', cause: 'bad text' });
    expect(numberOf((await subject.embed(['b']))[0])).toBe(2);
  });

  it('ends the worker after five idle minutes and starts it again', async () => {
    const clock = new StoppedClock();
    const subject = encoder(clock, fakeWorker('threadId'));
    const [first] = await subject.embed(['a']);
    clock.pass(4 * 60_000);
    const [second] = await subject.embed(['b']);
    clock.pass(4 * 60_000);
    expect(subject.warm).toBe(true);
    expect(numberOf(second)).toBe(numberOf(first));
    clock.pass(60_000);
    expect(subject.warm).toBe(false);
    const [third] = await subject.embed(['c']);
    expect(numberOf(third)).not.toBe(numberOf(first));
  });

  it('gives up a call whose signal is aborted, before and after it was sent', async () => {
    const subject = encoder(
      new SystemClock(),
      fakeWorker('texts.length', 'if (texts[0] === "slow") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);'),
    );
    const reason = new Error('no longer needed');
    await expect(subject.embed(['a'], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const caller = new AbortController();
    const sent = subject.embed(['slow'], { signal: caller.signal });
    const queued = subject.embed(['b'], { signal: caller.signal });
    const other = subject.embed(['c']);
    caller.abort(reason);
    await expect(sent).rejects.toBe(reason);
    await expect(queued).rejects.toBe(reason);
    // Alone in its batch: what was given up in the queue is not embedded at all.
    expect(numberOf((await other)[0])).toBe(1);
  });

  it('rejects what is under way and what comes later when it is closed', async () => {
    const subject = encoder(new SystemClock(), fakeWorker('1'));
    const under = subject.embed(['a']);
    const queued = subject.embed(['b']);
    const closing = subject.close();
    await expect(under).rejects.toMatchObject({ code: 'SERVER_STOPPING' });
    await expect(queued).rejects.toMatchObject({ code: 'SERVER_STOPPING' });
    await closing;
    await expect(subject.embed(['c'])).rejects.toMatchObject({ code: 'SERVER_STOPPING' });
  });
});
