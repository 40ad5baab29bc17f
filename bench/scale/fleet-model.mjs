// A fleet and its databases as a simulation: the round trips, units and locks of turns as the program makes them.
import { Engine, Log, Permits, randomOf } from './engine.mjs';
import { entriesPerSecond, EXTENDED_AFTER_MS, GATHER_MS, HEARTBEAT_MS, LOOK_MS, piecesOf, readMs, RENEW_MS } from './rates.mjs';

const SKEW = 0.5;
const PAGE = 5000;
const PIECES = 8;
// A turn of a process is served in four parts: before each of its round trips.
const PARTS = 4;

export class FleetModel {
  engine = new Engine();
  counts = {};
  latencies = [];
  #channels = new Map();

  constructor(scenario, costs, seed = 1) {
    Object.assign(this, { scenario, costs, random: randomOf(seed) });
    const { engine } = this;
    this.machine = scenario.machineCores && new Permits(engine, scenario.machineCores);
    this.databases = Array.from({ length: scenario.databases }, () => ({
      cores: this.machine ?? new Permits(engine, scenario.databaseCores),
      log: new Log(engine, scenario.flushMs),
      notifying: new Permits(engine, 1),
      server: scenario.pooler && new Permits(engine, scenario.pooler),
      open: 0,
      openArea: 0,
      openSince: 0,
      samples: [],
      entries: 0,
    }));
    this.processes = Array.from({ length: scenario.processes }, (_, index) => ({
      index,
      loop: new Permits(engine, 1),
      pools: this.databases.map(() => new Permits(engine, scenario.pool)),
      slots: new Permits(engine, scenario.slots),
      running: 0,
      /** When the running turns began, the oldest first. */
      begun: new Set(),
      debt: 0,
      received: 0,
      readers: this.databases.map(() => ({ reading: false, wanted: false, at: 0 })),
      hints: this.databases.map(() => undefined),
    }));
  }

  run(warmUpMs, ms) {
    this.#start();
    this.engine.run(warmUpMs);
    this.#reset();
    this.engine.run(warmUpMs + ms);
    return this;
  }

  count(name, by = 1) {
    this.counts[name] = (this.counts[name] ?? 0) + by;
  }

  #reset() {
    this.counts = {};
    this.latencies = [];
    for (const { cores, notifying, server } of this.databases) for (const each of [cores, notifying, server]) each?.reset();
    for (const each of this.processes) {
      for (const permits of [each.loop, each.slots, ...each.pools]) permits.reset();
      each.received = 0;
    }
    for (const database of this.databases) {
      database.log.flushes = 0;
      Object.assign(database, { openArea: 0, openSince: this.engine.now, samples: [] });
    }
  }

  #start() {
    const { scenario, engine } = this;
    for (const process of this.processes) this.#background(process);
    if (scenario.callers) {
      for (let caller = 0; caller < scenario.callers; caller += 1) this.#caller(caller);
      return;
    }
    this.#poisson(scenario.rate, () => {
      const channel = this.#channel();
      this.#turn(this.#processFor(channel), channel, () => undefined);
    });
    const changes = scenario.sessions / (scenario.sessionMinutes * 60);
    this.#poisson(changes, () => {
      const channel = this.#channel();
      const process = this.#processFor(channel);
      const { processorMs, walBytes } = this.costs.session;
      const half = (then) => this.#unit(process, channel, processorMs / 2, walBytes / 2, 1, then);
      half(() => half());
    });
    // The warning and the expiry of each, which the leader announces.
    this.#poisson(2 * changes, () =>
      this.#unit(this.processes[0], this.#channel(), this.costs.announcement.processorMs, this.costs.announcement.walBytes, 1),
    );
    for (const database of this.databases.keys()) engine.after(1000, () => this.#sweep(database));
  }

  #poisson(perSecond, work) {
    const next = () => {
      this.engine.after((-Math.log(1 - this.random()) * 1000) / perSecond, () => {
        work();
        next();
      });
    };
    next();
  }

  /** A channel; some are used more often: number n with a probability of about n^-0.5. */
  #channel() {
    return Math.floor(this.scenario.sessions * this.random() ** (1 / (1 - SKEW)));
  }

  #processFor(channel) {
    const { processes } = this;
    return processes[this.scenario.spread ? Math.floor(this.random() * processes.length) : channel % processes.length];
  }

  #caller(caller) {
    const { costs } = this;
    const next = () => this.machine.serve(costs.turn.loadMs, () => this.#turn(this.#processFor(caller), caller, next));
    next();
  }

  #turn(process, channel, then) {
    const { costs, scenario } = this;
    const begun = this.engine.now;
    const part = costs.turn.processMs / PARTS;
    const run = { at: 0 };
    const end = () => {
      process.running -= 1;
      process.begun.delete(run);
      process.slots.give();
      this.count('turns');
      this.count('ranMs', this.engine.now - run.at);
      this.latencies.push(this.engine.now - begun - scenario.streamMs);
      then();
    };
    const reply = () =>
      this.#work(process, part, () =>
        this.#unit(process, channel, costs.replyUnit.processorMs, costs.replyUnit.walBytes, costs.replyUnit.entries, end),
      );
    const context = () =>
      this.#work(process, part, () => {
        // A notification that is due joins the query.
        const hints = this.#takeHints(process, this.#databaseOf(channel));
        this.#read(process, channel, costs.contextRead.processorMs, () => this.#answer(process, channel, reply));
        if (hints) this.#notified(process, this.#databaseOf(channel), hints);
      });
    const message = () =>
      process.slots.take(() => {
        process.running += 1;
        run.at = this.engine.now;
        process.begun.add(run);
        this.#unit(process, channel, costs.messageUnit.processorMs, costs.messageUnit.walBytes, costs.messageUnit.entries, context);
        // Its former entries may be those of another process.
        if (scenario.spread && this.processes.length > 1) this.#read(process, channel, costs.channelRead.processorMs);
      });
    this.#work(process, part, () => this.#read(process, channel, costs.sessionRead.processorMs, () => this.#work(process, part, message)));
  }

  /** The model answers for so long; pieces of the answer are stored meanwhile. */
  #answer(process, channel, then) {
    const { costs, scenario, engine } = this;
    const pieces = piecesOf(scenario);
    let left = pieces + 1;
    const done = () => {
      left -= 1;
      if (left === 0) then();
    };
    for (let piece = 1; piece <= pieces; piece += 1) {
      engine.after(piece * scenario.chunkMs, () => {
        this.#work(process, costs.chunk.processMs, () =>
          this.#unit(process, channel, costs.chunk.processorMs, costs.chunk.walBytes, 1, done),
        );
      });
    }
    engine.after(scenario.streamMs, done);
  }

  /** Work of a process, whose event loop does one thing at a time. */
  #work(process, ms, then) {
    const all = ms + process.debt;
    process.debt = 0;
    process.loop.take(() => {
      const done = () => {
        process.loop.give();
        then?.();
      };
      if (this.machine) this.machine.serve(all, done);
      else this.engine.after(all, done);
    });
  }

  #databaseOf(channel) {
    // Independent of the process that a channel belongs to.
    return Math.floor(channel / this.processes.length) % this.databases.length;
  }

  #trip(process, number, work, then, statements = 1) {
    const database = this.databases[number];
    const pool = process.pools[number];
    this.count('trips');
    this.count('statements', statements);
    pool.take(() =>
      this.engine.after(this.scenario.networkMs, () => {
        const carriedOut = () => {
          database.server?.give();
          pool.give();
          then?.();
        };
        const begin = () => work(database, carriedOut);
        if (database.server) database.server.take(begin);
        else begin();
      }),
    );
  }

  #read(process, channel, ms, then) {
    this.#trip(process, this.#databaseOf(channel), (database, done) => database.cores.serve(ms, done), then);
  }

  /** A unit of work: its mark and the row of its channel are locked until the log has been flushed. */
  #unit(process, channel, ms, walBytes, entries, then) {
    const number = this.#databaseOf(channel);
    const work = (database, done) => {
      this.#mark(database, 1);
      database.samples.push(database.open);
      this.#lock(channel, (unlock) =>
        database.cores.serve(ms, () =>
          database.log.flush(() => {
            unlock();
            this.#mark(database, -1);
            database.entries += entries;
            this.count('writes');
            this.count('walBytes', walBytes);
            this.#hint(process, number, channel);
            done();
          }),
        ),
      );
    };
    this.#trip(process, number, work, then);
  }

  /** Calls `work` with what gives the lock back. */
  #lock(channel, work) {
    const waiting = this.#channels.get(channel);
    const unlock = () => {
      const next = this.#channels.get(channel).shift();
      if (next) next();
      else this.#channels.delete(channel);
    };
    if (!waiting) {
      this.#channels.set(channel, []);
      work(unlock);
      return;
    }
    this.count('lockWaits');
    waiting.push(() => work(unlock));
  }

  #mark(database, by) {
    database.openArea += database.open * (this.engine.now - database.openSince);
    database.openSince = this.engine.now;
    database.open += by;
  }

  #hint(process, number, channel) {
    this.#tell(process, channel);
    if (this.processes.length === 1 && this.scenario.notifier === 'nats') return;
    if (process.hints[number]) {
      process.hints[number].channels.add(channel);
      return;
    }
    const hints = { channels: new Set([channel]) };
    process.hints[number] = hints;
    this.engine.after(GATHER_MS, () => {
      if (process.hints[number] !== hints) return;
      process.hints[number] = undefined;
      if (this.scenario.notifier === 'nats') this.#notified(process, number, hints);
      else this.#trip(process, number, (_, done) => this.#notified(process, number, hints, done));
    });
  }

  #takeHints(process, number) {
    const hints = process.hints[number];
    if (!hints || this.scenario.notifier !== 'notify') return undefined;
    process.hints[number] = undefined;
    return hints;
  }

  /** Notifying transactions are committed one after another; each connection that listens is woken. */
  #notified(process, number, { channels }, done) {
    const { costs, scenario, processes } = this;
    if (scenario.notifier === 'notify') {
      const { notifying, cores } = this.databases[number];
      notifying.take(() =>
        cores.serve(costs.notify.processorMs, () => {
          notifying.give();
          done?.();
        }),
      );
      const pieces = Math.min(PIECES, processes.length);
      for (let piece = 0; piece < pieces; piece += 1) cores.serve((costs.notify.listenerMs * processes.length) / pieces);
    }
    for (const other of processes) {
      if (other === process) continue;
      other.received += 1;
      other.debt += costs.hint.messageMs;
    }
    this.engine.after(scenario.networkMs, () => {
      for (const channel of channels) if (this.#listener(channel) !== process) this.#tell(this.#listener(channel), channel);
    });
  }

  /** Channels of which a process compares each hint with the id. */
  #followed({ running }) {
    const { listeners, sessions, processes } = this.scenario;
    return running + (listeners === 'streams' ? sessions / processes : 0);
  }

  #listener(channel) {
    return this.scenario.listeners === undefined ? undefined : this.processes[(channel * 31 + 7) % this.processes.length];
  }

  /** A listener reads: of a stream the channel, of a socket everything new of all its channels. */
  #tell(process, channel) {
    if (process === undefined || this.#listener(channel) !== process) return;
    if (this.scenario.listeners === 'streams') this.#read(process, channel, this.costs.channelRead.processorMs);
    else this.#wake(process, this.#databaseOf(channel));
  }

  #wake(process, number) {
    const reader = process.readers[number];
    reader.wanted = true;
    if (!reader.reading) this.#readEntries(process, number);
  }

  #readEntries(process, number) {
    const reader = process.readers[number];
    Object.assign(reader, { reading: true, wanted: false });
    const work = (database, done) => {
      const fresh = database.entries - reader.at;
      reader.at = database.entries;
      database.cores.serve(readMs(this.scenario, this.costs, database.open, fresh), done);
    };
    const then = () => {
      reader.reading = false;
      if (reader.wanted) this.#readEntries(process, number);
    };
    this.count('horizons');
    this.#trip(process, number, work, then, 2);
  }

  #background(process) {
    const { costs } = this;
    const every = (ms, work) => {
      const again = () => {
        work();
        this.engine.after(ms, again);
      };
      this.engine.after(ms * this.random(), again);
    };
    every(process.index === 0 ? RENEW_MS : LOOK_MS, () =>
      this.#trip(process, 0, ({ cores }, done) => cores.serve(costs.lease.processorMs, done)),
    );
    for (const number of this.databases.keys()) {
      every(1000, () => {
        this.#wake(process, number);
        const followed = this.#followed(process) / this.databases.length;
        if (followed === 0) return;
        this.#trip(process, number, ({ cores }, done) => cores.serve(costs.heads.processorMs + costs.heads.channelMs * followed, done));
      });
      every(HEARTBEAT_MS, () => {
        const [oldest] = process.begun;
        if (oldest && this.engine.now - oldest.at >= EXTENDED_AFTER_MS) {
          const ms = costs.heartbeat.processorMs + costs.heartbeat.turnMs * process.running;
          this.#trip(process, number, ({ cores, log }, done) => cores.serve(ms, () => log.flush(done)));
        }
        this.#trip(process, number, ({ cores }, done) => cores.serve(costs.lookUp.processorMs, done));
      });
    }
  }

  /** Retention at the rate at which entries are stored, page by page. */
  #sweep(number) {
    if (this.scenario.partitions) return;
    const pauseMs = (PAGE * 1000 * this.databases.length) / entriesPerSecond(this.scenario, this.costs);
    const ms = (PAGE * this.costs.retention.deleteUs) / 1000;
    const next = () => {
      const begun = this.engine.now;
      const then = () => this.engine.after(Math.max(0, pauseMs - (this.engine.now - begun)), next);
      this.#trip(this.processes[0], number, ({ cores, log }, done) => cores.serve(ms, () => log.flush(done)), then, 2);
    };
    next();
  }
}
