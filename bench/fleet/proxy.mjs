// A TCP proxy in front of PostgreSQL, as a role of run.mjs: it delays what clients send, as a network would, and counts round trips.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setPriority } from 'node:os';

// How exactly the delay is kept, ms. A sleep of the thread that waits costs less of the machine than a loop without one.
const TICK_MS = 0.1;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

export default function main() {
  const proxy = new DelayingProxy();
  // On a full machine the proxy would wait for the servers, and its delay with it. Only root may ask for more.
  if (process.getuid() === 0) setPriority(-10);
  process.on('message', (job) => {
    proxy.carryOut(job).then(
      (answer) => process.send(answer),
      (error) => process.send({ error: error.stack }),
    );
  });
}

class DelayingProxy {
  #counters = { trips: 0, chunks: 0, waitedMs: 0 };
  #delayMs = 0;
  #queue = [];
  #ticking = false;

  /** `{ target, delayMs }` opens the proxy and tells its `port`; `{ read: true }` tells what it has counted since it was opened. */
  async carryOut({ target, delayMs, read }) {
    if (read) return { ...this.#counters };
    this.#delayMs = delayMs;
    const server = createServer((client) => this.#join(client, connect(target, '127.0.0.1')));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { port: server.address().port };
  }

  #join(client, server) {
    let answered = true;
    for (const socket of [client, server]) socket.setNoDelay(true).on('error', () => undefined);
    client.on('data', (bytes) => {
      // What a client sends before it has heard anything belongs to the same trip.
      if (answered) this.#counters.trips += 1;
      answered = false;
      this.#delay(() => server.write(bytes));
    });
    server.on('data', (bytes) => {
      answered = true;
      client.write(bytes);
    });
    client.on('close', () => this.#delay(() => server.end()));
    server.on('close', () => client.destroy());
  }

  /** Everything waits for the same time, so the queue is in order. */
  #delay(pass) {
    this.#queue.push({ at: performance.now(), pass });
    if (this.#ticking) return;
    this.#ticking = true;
    setImmediate(() => this.#tick());
  }

  #tick() {
    const now = performance.now();
    let ready = 0;
    for (; ready < this.#queue.length && now - this.#queue[ready].at >= this.#delayMs; ready += 1) {
      this.#counters.chunks += 1;
      this.#counters.waitedMs += now - this.#queue[ready].at;
      this.#queue[ready].pass();
    }
    this.#queue.splice(0, ready);
    this.#ticking = this.#queue.length > 0;
    if (!this.#ticking) return;
    Atomics.wait(sleeper, 0, 0, TICK_MS);
    setImmediate(() => this.#tick());
  }
}
