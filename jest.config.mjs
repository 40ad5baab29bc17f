const project = (displayName, folders, options = {}) => ({
  displayName,
  testMatch: folders.map((folder) => `<rootDir>/${folder}/**/*.spec.ts`),
  // Test files run in Node.js itself, those of one worker in one process.
  testEnvironment: '<rootDir>/scripts/jest/environment.cjs',
  runtime: '<rootDir>/scripts/jest/runtime.cjs',
  transform: {},
  // By default it is where the tests' files are, which may be memory.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  moduleFileExtensions: ['js', 'mjs', 'ts', 'json', 'node'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/data/'],
  setupFilesAfterEnv: ['<rootDir>/test/support/console-guard.ts'],
  restoreMocks: true,
  ...options,
});

export default {
  projects: [
    project('unit', ['src', 'plugins']),
    project('medium', ['test/medium', 'test/models']),
    project('contract', ['test/contract']),
    project('e2e', ['test/e2e', 'test/plugins', 'test/security']),
    // Starts the built program, so it sees to it first that there is one.
    project('crash', ['test/crash'], { globalSetup: '<rootDir>/scripts/ensure-build.mjs' }),
    // Servers that are killed again and again, and the checker; how long it runs is said by PROOF_SECONDS.
    project('proof', ['test/proof', 'test/power'], { globalSetup: '<rootDir>/scripts/ensure-build.mjs' }),
    // Reads the built program too: the OpenAPI document is made from it, and the guides are followed with it.
    project('docs', ['test/docs', 'test/architecture'], { globalSetup: '<rootDir>/scripts/ensure-build.mjs' }),
    // What takes long and few changes touch: installation, the package, backups, moves and imports of a server, streams of all protocols that
    // it cuts as it ends, what the guides have users run, and how good the built-in responder and recogniser are.
    project('release', ['test/release'], { globalSetup: '<rootDir>/scripts/ensure-build.mjs' }),
    // Real pages in Chromium, on the built server.
    project('browser', ['test/browser'], { globalSetup: '<rootDir>/scripts/ensure-build.mjs' }),
    // Every bench for a moment. Its processes take both cores of a small machine, so it runs alone.
    project('bench', ['test/bench'], { globalSetup: '<rootDir>/scripts/ensure-build.mjs' }),
    // Needs PostgreSQL, and the built program when it starts several of them.
    project('cluster', ['test/cluster'], { globalSetup: '<rootDir>/scripts/ensure-build.mjs' }),
  ],
  testSequencer: '<rootDir>/scripts/jest/sequencer.cjs',
  // The modules of a test file are never let go of, nor is what they hold.
  workerIdleMemoryLimit: '2GB',
  // jest reads it here only; in a project it has no effect. A test that has to be quick says so itself.
  testTimeout: 180_000,
  reporters: ['default', '<rootDir>/scripts/summary-reporter.mjs'],
};
