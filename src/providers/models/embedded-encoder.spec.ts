import { afterEach, describe, expect, it } from '@jest/globals';
import { Clock, SystemClock, type Cancel } from '../../core/clock/index.js';
import { EmbeddedEncoder } from './embedded-encoder.js';
import { similarity } from './text-chunks.js';

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

const SERVE = new URL('../../core/workers/serve.js', import.meta.url).href;
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
  const source = `import { threadId } from 'node:worker_threads';
    import { serve } from ${JSON.stringify(SERVE)};
    let batches = 0;
    serve(() => ({
      call(texts) {
        batches += 1;
        ${before}
        const vectors = new Float32Array(texts.length * 512);
        texts.forEach((text, i) => { vectors[i * 512] = 1; vectors[i * 512 + 1] = ${number}; });
        return vectors;
      },
    }));`;
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}

/** The number of the fake worker, back out of the normalised vector. */
function numberOf(vector: Float32Array | undefined): number {
  return Math.round((vector?.[1] ?? 0) / (vector?.[0] ?? 1));
}

describe('EmbeddedEncoder', () => {
  it('embeds texts of the same meaning close together', async () => {
    const [dogs, puppies, rent] = await encoder().embed(['I love dogs.', 'I adore puppies!', 'The rent is due on Monday.']);
    if (dogs === undefined || puppies === undefined || rent === undefined) throw new Error('vectors are missing');
    expect(similarity(dogs, puppies)).toBeGreaterThan(0.6);
    expect(similarity(dogs, rent)).toBeLessThan(0.3);
  });

  it('returns vectors of length 1 and of the declared dimension', async () => {
    const subject = encoder();
    for (const vector of await subject.embed(['short', 'word '.repeat(450), '\ud800 😀'])) {
      expect(vector).toHaveLength(subject.dimension);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }
  });

  it('returns a zero vector for blank texts without starting the engine', async () => {
    const subject = encoder(new SystemClock(), new URL('data:text/javascript,throw new Error("started")'));
    expect(await subject.embed(['', ' \n\t'])).toEqual([new Float32Array(512), new Float32Array(512)]);
    expect(subject.warm).toBe(false);
  });

  it('matches vectors and texts when many calls share batches', async () => {
    const subject = encoder(new SystemClock(), fakeWorker('Number(text)'));
    const calls = Array.from({ length: 40 }, (_, call) => subject.embed([String(call), ' ', String(call + 100)]));
    const answers = await Promise.all(calls);
    expect(answers.map(([first, , last]) => [numberOf(first), numberOf(last)])).toEqual(answers.map((_, call) => [call, call + 100]));
  });

  it('sends the worker at most 200 characters at a time', async () => {
    const long = 'if (texts.length > 1 && texts.join("").length > 200) throw new Error("too much");';
    const subject = encoder(new SystemClock(), fakeWorker('texts.join("").length', long));
    const texts = [
      'short',
      'word '.repeat(20),
      'x'.repeat(5000),
      'word '.repeat(1000),
      ...Array.from({ length: 90 }, (_, i) => `text ${i}`),
    ];
    const sizes = (await Promise.all(texts.map((text) => subject.embed([text])))).map(([vector]) => numberOf(vector));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(200);
    // Short ones share a batch.
    expect(sizes.at(-1)).toBeGreaterThan(50);
  });

  it.each([
    ['words', Array.from({ length: 20_000 }, (_, index) => `word${index}`).join(' ')],
    ['no spaces', Array.from({ length: 20_000 }, (_, index) => index).join('')],
    ['characters of two units', Array.from({ length: 50_000 }, (_, index) => String.fromCodePoint(0x20000 + index)).join('')],
  ])('embeds at most eight pieces of a text of any length (%s)', async (_, text) => {
    const subject = encoder(new SystemClock(), fakeWorker('(globalThis.seen = (globalThis.seen ?? 0) + texts.length)'));
    await subject.embed([text]);
    const [vector] = await subject.embed(['next']);
    expect(numberOf(vector)).toBe(9);
  });

  it('embeds a question before a backlog, and alternates between callers', async () => {
    const subject = encoder(new SystemClock(), fakeWorker('batches'));
    const backlog = subject.embed(
      Array.from({ length: 300 }, (_, index) => `fact ${index} `.repeat(100)),
      { caller: 'memories', background: true },
    );
    const rude = Array.from({ length: 50 }, (_, index) => subject.embed([`long question ${index} `.repeat(100)], { caller: 'rude' }));
    const polite = ['one', 'two'].map((text) => subject.embed([text], { caller: 'polite' }));
    const [first, second] = (await Promise.all(polite)).map(([vector]) => numberOf(vector));
    // A piece of the backlog was under way, and one of the other caller's may come before each.
    expect(first).toBeLessThanOrEqual(3);
    expect(second).toBeLessThanOrEqual(5);
    const left = Promise.allSettled([backlog, ...rude]);
    await subject.close();
    expect((await left).map(({ status }) => status)).toContain('rejected');
  });

  it('caches a repeated question until others evict it', async () => {
    const subject = encoder(new SystemClock(), fakeWorker('batches'));
    const [first] = await subject.embed(['a question']);
    const [again, other] = await subject.embed(['a question', 'another one']);
    expect([numberOf(again), numberOf(other)]).toEqual([numberOf(first), 2]);
    await subject.embed(Array.from({ length: 600 }, (_, index) => `question ${index}`));
    const [late] = await subject.embed(['a question']);
    expect(numberOf(late)).toBeGreaterThan(2);
  });

  it('embeds equal texts in one call: as question and memory, and after a question is abandoned', async () => {
    const subject = encoder(new SystemClock(), fakeWorker('(globalThis.seen ??= []).push(text)'));
    const [one, two, other] = await subject.embed(['the same', 'the same', 'another'], { background: true });
    const [again] = await subject.embed(['the same']);
    expect([one, two, other, again].map(numberOf)).toEqual([1, 1, 2, 1]);
    const caller = new AbortController();
    const question = subject.embed(['a question'], { signal: caller.signal });
    caller.abort(new Error('no longer needed'));
    await expect(question).rejects.toThrow('no longer needed');
    const [next] = await subject.embed(['next'], { background: true });
    const [memory] = await subject.embed(['a question'], { background: true });
    expect([memory, next].map(numberOf)).toEqual([3, 4]);
  });

  it('keeps cached questions while it embeds a long backlog', async () => {
    const subject = encoder(new SystemClock(), fakeWorker('batches'));
    const question = await subject.embed(['a question']);
    await subject.embed(
      Array.from({ length: 600 }, (_, index) => `fact ${index}`),
      { background: true },
    );
    expect(await subject.embed(['a question'])).toEqual(question);
  });

  it('averages the pieces of a long text', async () => {
    const subject = encoder(new SystemClock(), fakeWorker('text.length'));
    const [vector] = await subject.embed(['words '.repeat(100)]);
    // 32 words each, joined by spaces.
    expect(numberOf(vector)).toBeGreaterThan(100);
    expect(numberOf(vector)).toBeLessThanOrEqual(192);
  });

  it('reads a long text to its end when it is asked to', async () => {
    const read: number[] = [];
    const subject = encoder(new SystemClock(), fakeWorker('text.endsWith("end") ? 1000 : 1'));
    for (const whole of [false, true]) read.push(numberOf((await subject.embed([`${'words '.repeat(2000)}end`], { whole }))[0]));
    expect(read[0]).toBe(1);
    expect(read[1]).toBeGreaterThan(1);
  });

  it('fails the calls of a dead worker and starts another for the rest', async () => {
    const subject = encoder(new SystemClock(), fakeWorker('1', 'if (texts.includes("die")) process.exit(1);'));
    await subject.embed(['fine']);
    await expect(subject.embed(['die'])).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    expect(subject.warm).toBe(false);
    await expect(subject.embed(['fine again'])).resolves.toHaveLength(1);
  });

  it('fails each call when the worker cannot start', async () => {
    const subject = encoder(new SystemClock(), new URL('data:text/javascript,throw new Error("no engine")'));
    const calls = [subject.embed(['a']), subject.embed(['b'])];
    for (const call of calls) {
      await expect(call).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE', cause: expect.objectContaining({ message: 'no engine' }) });
    }
  });

  it('fails a call when the engine fails, and keeps the worker', async () => {
    const subject = encoder(new SystemClock(), fakeWorker('batches', 'if (batches === 1) throw new Error("bad text");'));
    await expect(subject.embed(['a'])).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      cause: expect.objectContaining({ message: 'sentence-encoder: bad text' }),
    });
    expect(numberOf((await subject.embed(['b']))[0])).toBe(2);
  });

  it('stops the worker after an idle minute and restarts it on demand', async () => {
    const clock = new StoppedClock();
    const subject = encoder(clock, fakeWorker('threadId'));
    const [first] = await subject.embed(['a']);
    clock.pass(50_000);
    const [second] = await subject.embed(['b']);
    clock.pass(50_000);
    expect(subject.warm).toBe(true);
    expect(numberOf(second)).toBe(numberOf(first));
    clock.pass(10_000);
    expect(subject.warm).toBe(false);
    const [third] = await subject.embed(['c']);
    expect(numberOf(third)).not.toBe(numberOf(first));
  });

  it('abandons a call whose signal is aborted, before and after sending it', async () => {
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

  it('rejects running and later calls when it is closed', async () => {
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
