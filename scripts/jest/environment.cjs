// The environment of a test file: the worker process itself, without a sandbox. It restores global state for the next file.
const { AsyncLocalStorage } = require('node:async_hooks');
const { getActiveResourcesInfo } = require('node:process');
const { setTimeout } = require('node:timers/promises');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Keys of the test framework's event handlers and of the timeout set by `jest.setTimeout`. */
const STATE_OF_A_FILE = [Symbol.for('EVENT_HANDLERS'), Symbol.for('TEST_TIMEOUT_SYMBOL')];

const TURNS = 1000;

/** Node.js visits each with every promise until it is disabled, and the test framework makes one for every file. */
const storages = new Set();
for (const method of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[method];
  AsyncLocalStorage.prototype[method] = function (...args) {
    storages.add(this);
    return original.apply(this, args);
  };
}

module.exports = class ProcessEnvironment {
  global = globalThis;
  fakeTimers = null;
  moduleMocker = new ModuleMocker(globalThis);

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.before = { env: { ...process.env }, exit: process.exit, umask: process.umask(), servers: listening() };
    for (const symbol of STATE_OF_A_FILE) delete globalThis[symbol];
  }

  async handleTestEvent({ name }, { unhandledErrors }) {
    if (name !== 'run_finish') return;
    // A closed server stays in the list for a few iterations of the event loop.
    for (let turn = 0; turn < TURNS && listening() > this.before.servers; turn += 1) await setTimeout(10);
    if (listening() <= this.before.servers) return;
    unhandledErrors.push(new Error('A server that this file started still listens: close it in afterAll.'));
  }

  async setup() {}

  async teardown() {
    const { env, exit, umask } = this.before;
    process.umask(umask);
    this.fakeTimersModern.dispose();
    // The next use enables it again.
    for (const storage of storages) storage.disable();
    storages.clear();
    process.exit = exit;
    for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name];
    Object.assign(process.env, env);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
};

function listening() {
  return getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
}
