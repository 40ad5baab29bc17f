// Lets Node.js itself load the test files. Jest would evaluate each of them with all its imports in a sandbox of its own; here Nest,
// TypeORM and src are evaluated once per worker.
const { createHash } = require('node:crypto');
const { mkdirSync, writeFileSync } = require('node:fs');
const { register } = require('node:module');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { default: JestRuntime } = require('jest-runtime');
const { sourceMapOf } = require('../typescript-hooks.mjs');

const addressOf = (path) => pathToFileURL(join(__dirname, '..', '..', path)).href;

register(addressOf('scripts/typescript-hooks.mjs'), {
  data: {
    aliases: {
      '@jest/globals': addressOf('scripts/jest/globals.mjs'),
      'parley-client': addressOf('client/src/index.ts'),
      'parley-client/socket': addressOf('client/src/socket.ts'),
      'parley-server/plugin-sdk': addressOf('src/plugin-sdk/index.ts'),
      'parley-server/plugin-sdk/testing': addressOf('src/plugin-sdk/testing.ts'),
    },
  },
});

let evaluations = 0;

module.exports = class Runtime extends JestRuntime {
  unstable_shouldLoadAsEsm() {
    return true;
  }

  /** Called for test files and set-up files, which are evaluated each time, unlike their imports. */
  async unstable_importModule(file) {
    evaluations += 1;
    return import(`${pathToFileURL(file).href}?${evaluations}`);
  }

  /** Called for the test framework, which needs fresh state for every file. */
  requireInternalModule(file) {
    delete require.cache[file];
    return require(file);
  }

  setGlobalsForRuntime(globals) {
    super.setGlobalsForRuntime(globals);
    globalThis[Symbol.for('parley.test-file')] = this.requireModuleOrMock(this._testPath, '@jest/globals');
  }

  getSourceMaps() {
    sourceMaps.folder = join(this._config.cacheDirectory, 'source-maps');
    return sourceMaps;
  }
};

/** Source maps by file URL, which Jest requests when it prints a stack. */
const sourceMaps = {
  folder: '',
  paths: new Map(),
  get(address) {
    if (!this.paths.has(address)) this.paths.set(address, this.write(sourceMapOf(address)));
    return this.paths.get(address);
  },
  write(map) {
    if (map === undefined) return undefined;
    const path = join(this.folder, `${createHash('sha256').update(map).digest('hex')}.map`);
    mkdirSync(this.folder, { recursive: true });
    writeFileSync(path, map);
    return path;
  },
  *[Symbol.iterator]() {},
};
