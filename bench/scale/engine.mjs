// A discrete-event simulation: a clock, stations that serve, and locks. The same seed gives the same run.

export class Engine {
  now = 0;
  #times = [];
  #work = [];

  /** Calls `work` after so many ms. */
  after(ms, work) {
    const [times, works] = [this.#times, this.#work];
    const at = this.now + ms;
    let index = times.length;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (times[parent] <= at) break;
      times[index] = times[parent];
      works[index] = works[parent];
      index = parent;
    }
    times[index] = at;
    works[index] = work;
  }

  run(until) {
    while (this.#times.length > 0 && this.#times[0] <= until) {
      const work = this.#work[0];
      this.now = this.#times[0];
      this.#removeFirst();
      work();
    }
    this.now = until;
  }

  #removeFirst() {
    const [times, works] = [this.#times, this.#work];
    const [at, work] = [times.pop(), works.pop()];
    const size = times.length;
    if (size === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= size) break;
      if (child + 1 < size && times[child + 1] < times[child]) child += 1;
      if (times[child] >= at) break;
      times[index] = times[child];
      works[index] = works[child];
      index = child;
    }
    times[index] = at;
    works[index] = work;
  }
}

/** So many permits, given in the order of the requests. Knows how many were in use and how long requests waited. */
export class Permits {
  #free;
  #waiting = [];
  #first = 0;
  #since = 0;
  #area = 0;
  requests = 0;
  waited = 0;
  waitedMs = 0;

  constructor(engine, count) {
    this.engine = engine;
    this.count = count;
    this.#free = count;
  }

  take(then) {
    this.requests += 1;
    if (this.#free > 0) {
      this.#note();
      this.#free -= 1;
      then();
      return;
    }
    const asked = this.engine.now;
    this.#waiting.push(() => {
      this.waited += 1;
      this.waitedMs += this.engine.now - asked;
      then();
    });
  }

  give() {
    if (this.#first < this.#waiting.length) {
      const next = this.#waiting[this.#first];
      this.#first += 1;
      if (this.#first > 1000) {
        this.#waiting.splice(0, this.#first);
        this.#first = 0;
      }
      next();
      return;
    }
    this.#note();
    this.#free += 1;
  }

  /** Takes a permit for so many ms of work. */
  serve(ms, then) {
    this.take(() =>
      this.engine.after(ms, () => {
        this.give();
        then?.();
      }),
    );
  }

  /** Forgets what was counted, after a warm-up. */
  reset() {
    this.#area = 0;
    this.#since = this.engine.now;
    [this.requests, this.waited, this.waitedMs] = [0, 0, 0];
    this.begun = this.engine.now;
  }

  /** Permits in use, on average since `reset`. */
  get inUse() {
    this.#note();
    return this.#area / (this.engine.now - (this.begun ?? 0));
  }

  #note() {
    this.#area += (this.count - this.#free) * (this.engine.now - this.#since);
    this.#since = this.engine.now;
  }
}

/** The log of a database: a flush takes what was committed before it began. */
export class Log {
  #flushing = false;
  #next = [];
  flushes = 0;

  constructor(engine, flushMs) {
    this.engine = engine;
    this.flushMs = flushMs;
  }

  flush(then) {
    this.#next.push(then);
    if (!this.#flushing) this.#begin();
  }

  #begin() {
    const together = this.#next;
    this.#next = [];
    this.#flushing = together.length > 0;
    if (!this.#flushing) return;
    this.flushes += 1;
    this.engine.after(this.flushMs, () => {
      for (const then of together) then();
      this.#begin();
    });
  }
}

/** Numbers from 0 to 1 (mulberry32). */
export function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
