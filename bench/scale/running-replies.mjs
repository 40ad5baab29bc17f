// The replies that a process runs: their pieces pass its event loop, readers are told, and their text is stored.
import { MAX_TEXTS, STORE_MS } from './program.mjs';
import { loopMs, streamOf } from './rates.mjs';

/** Work of pieces is done in portions, because there are too many pieces to simulate each. */
const PORTION_MS = 5;

export class RunningReplies {
  #replies = new Set();
  #passing = false;
  #storing = false;
  #units = [];

  constructor(model, index) {
    Object.assign(this, { model, index });
    const { scenario, costs } = model;
    const { runs, reads } = loopMs(scenario, costs);
    const portions = scenario.streamMs / PORTION_MS;
    Object.assign(this, { runMs: runs / portions, readMs: reads / portions, asks: streamOf(scenario).asks });
  }

  get #process() {
    return this.model.processes[this.index];
  }

  /** The model answers for so long. @param then is called when the rest of the text may be stored */
  begin(channel, then) {
    const { model, asks } = this;
    const { streamMs } = model.scenario;
    if (streamMs === 0) {
      model.engine.after(0, then);
      return;
    }
    const reply = { channel, isStoring: false, then: undefined };
    this.#replies.add(reply);
    this.#start();
    for (let ask = 0; ask < asks; ask += 1) this.#ask(channel);
    model.engine.after(streamMs, () => {
      this.#replies.delete(reply);
      if (reply.isStoring) reply.then = then;
      else then();
    });
  }

  #start() {
    if (!this.#passing) this.#pass();
    // Processes did not begin at the same time.
    if (!this.#storing) this.#storeLater(STORE_MS * this.model.random());
  }

  #pass() {
    const { model } = this;
    this.#passing = this.#replies.size > 0;
    if (!this.#passing) return;
    model.engine.after(PORTION_MS, () => {
      model.work(this.#process, this.runMs * this.#replies.size);
      if (this.readMs > 0) for (const { channel } of this.#replies) model.listener(channel).debt += this.readMs;
      this.#pass();
    });
  }

  #storeLater(ms = STORE_MS) {
    this.#storing = this.#replies.size > 0;
    if (!this.#storing) return;
    this.model.engine.after(ms, () => {
      this.#queue();
      this.#storeLater();
    });
  }

  /** All texts, in units that are stored one after another. */
  #queue() {
    const { databases } = this.model;
    const isIdle = this.#units.length === 0;
    for (const number of databases.keys()) {
      const replies = [...this.#replies].filter(({ channel, isStoring }) => !isStoring && this.model.databaseOf(channel) === number);
      for (const reply of replies) reply.isStoring = true;
      for (let at = 0; at < replies.length; at += MAX_TEXTS) this.#units.push(replies.slice(at, at + MAX_TEXTS));
    }
    if (isIdle) this.#store();
  }

  #store() {
    const { model } = this;
    const [replies] = this.#units;
    if (replies === undefined) return;
    const { processorMs, eachMs, walBytes } = model.costs.storedText;
    const count = replies.length;
    // In one order, so that units do not wait for each other. The program has one reply at a time in each channel.
    const channels = [...new Set(replies.map(({ channel }) => channel))].toSorted((a, b) => a - b);
    const done = () => {
      this.#units.shift();
      model.count('texts', count);
      for (const reply of replies) {
        reply.isStoring = false;
        reply.then?.();
      }
      this.#store();
    };
    model.unit(this.#process, channels, processorMs + eachMs * count, walBytes * count, done, 2 * count);
  }

  /** Every process is asked whether it reads the channel, and hears the answer of the one that does. */
  #ask(channel) {
    const { model } = this;
    const { costs, processes, scenario } = model;
    if (processes.length === 1 || scenario.notifier !== 'nats') return;
    const reader = scenario.listeners === 'requests' ? this.#process : model.listener(channel);
    for (const process of processes) {
      if (process !== this.#process) process.debt += costs.message.receiveMs;
      if (reader !== undefined && process !== reader) process.debt += costs.message.receiveMs;
    }
  }
}
