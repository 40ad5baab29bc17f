// A fleet and its databases as a simulation: the round trips, units and locks of turns as the program makes them.
import { Engine, Log, Permits, randomOf } from './engine.mjs';
import { EXTENDED_AFTER_MS, GATHER_MS, HEARTBEAT_MS, LOOK_MS, PAGE, POLL_MS, RENEW_MS } from './program.mjs';
import { entriesPerSecond, pollMs } from './rates.mjs';
import { RunningReplies } from './running-replies.mjs';

const SKEW = 0.5;
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
      replies: new RunningReplies(this, index),
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
      const half = (then) => this.unit(process, [channel], processorMs / 2, walBytes / 2, then);
      half(() => half());
    });
    // The warning and the expiry of each, which the leader announces.
    this.#poisson(2 * changes, () =>
      this.unit(this.processes[0], [this.#channel()], this.costs.announcement.processorMs, this.costs.announcement.walBytes),
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
      this.work(process, part, () => this.unit(process, [channel], costs.replyUnit.processorMs, costs.replyUnit.walBytes, end));
    const context = () =>
      this.work(process, part, () => {
        // A notification that is due joins the query.
        const hints = this.#takeHints(process, this.databaseOf(channel));
        this.#read(process, channel, costs.contextRead.processorMs, () => process.replies.begin(channel, reply));
        if (hints) this.#notified(process, this.databaseOf(channel), hints);
      });
    const message = () =>
      process.slots.take(() => {
        process.running += 1;
        run.at = this.engine.now;
        process.begun.add(run);
        this.unit(process, [channel], costs.messageUnit.processorMs, costs.messageUnit.walBytes, context);
        // Its former entries may be those of another process.
        if (scenario.spread && this.processes.length > 1) this.#read(process, channel, costs.channelRead.processorMs);
      });
    this.work(process, part, () => this.#read(process, channel, costs.sessionRead.processorMs, () => this.work(process, part, message)));
  }

  /** Work of a process, whose event loop does one thing at a time. */
  work(process, ms, then) {
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

  databaseOf(channel) {
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
    this.#trip(process, this.databaseOf(channel), (database, done) => database.cores.serve(ms, done), then);
  }

  /** A unit of work: its mark and the rows of its channels, of one database, are locked until the log has been flushed. */
  unit(process, channels, ms, walBytes, then, statements) {
    const number = this.databaseOf(channels[0]);
    const work = (database, done) => {
      this.#mark(database, 1);
      database.samples.push(database.open);
      this.#lockAll(channels, (unlock) =>
        database.cores.serve(ms, () =>
          database.log.flush(() => {
            unlock();
            this.#mark(database, -1);
            this.count('writes');
            this.count('walBytes', walBytes);
            this.#hint(process, number, channels);
            done();
          }),
        ),
      );
    };
    this.#trip(process, number, work, then, statements);
  }

  #lockAll([channel, ...others], work) {
    this.#lock(channel, (unlock) => {
      if (others.length === 0) {
        work(unlock);
        return;
      }
      this.#lockAll(others, (unlockOthers) =>
        work(() => {
          unlockOthers();
          unlock();
        }),
      );
    });
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

  #hint(process, number, channels) {
    if (this.processes.length === 1 && this.scenario.notifier === 'nats') return;
    const gathered = process.hints[number];
    if (gathered) {
      for (const channel of channels) gathered.channels.add(channel);
      return;
    }
    const hints = { channels: new Set(channels) };
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
      other.debt += costs.hint.messageMs + costs.hint.channelMs * channels.size;
    }
    this.engine.after(scenario.networkMs, () => {
      for (const channel of channels) {
        const listener = this.listener(channel);
        if (listener === undefined || listener === process) continue;
        listener.debt += costs.channelRead.processMs;
        this.#read(listener, channel, costs.channelRead.processorMs);
      }
    });
  }

  /** The process to whose client a channel is told, where that is not always the process that runs its turns. */
  listener(channel) {
    const { listeners } = this.scenario;
    return listeners === undefined || listeners === 'requests' ? undefined : this.processes[(channel * 31 + 7) % this.processes.length];
  }

  /** Channels whose heads a process looks up: those of running turns, and those with clients that listen. */
  #followed({ running }) {
    const { listeners, sessions, processes } = this.scenario;
    return running + (listeners === 'streams' || listeners === 'sockets' ? sessions / processes : 0);
  }

  #poll(process, number) {
    this.count('polls');
    const followed = this.#followed(process) / this.databases.length;
    const work = (database, done) => database.cores.serve(pollMs(this.scenario, this.costs, database.open, followed), done);
    this.#trip(process, number, work, undefined, 3);
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
      every(POLL_MS, () => this.#poll(process, number));
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

  /** Retention at the rate at which entries are stored, page by page, on several connections. */
  #sweep(number) {
    const { partitions, deletionConnections } = this.scenario;
    if (partitions) return;
    const pauseMs = (PAGE * 1000 * this.databases.length * deletionConnections) / entriesPerSecond(this.scenario, this.costs);
    const ms = (PAGE * this.costs.retention.deleteUs) / 1000;
    const next = () => {
      const begun = this.engine.now;
      const then = () => this.engine.after(Math.max(0, pauseMs - (this.engine.now - begun)), next);
      this.#trip(this.processes[0], number, ({ cores, log }, done) => cores.serve(ms, () => log.flush(done)), then, 2);
    };
    for (let connection = 0; connection < deletionConnections; connection += 1) this.engine.after(pauseMs * this.random(), next);
  }
}
