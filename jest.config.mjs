const swc = {
  swcrc: false,
  sourceMaps: 'inline',
  module: { type: 'es6' },
  jsc: {
    target: 'es2022',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
};

const project = (displayName, folders, options = {}) => ({
  displayName,
  testMatch: folders.map((folder) => `<rootDir>/${folder}/**/*.spec.ts`),
  testEnvironment: 'node',
  // By default it is where the tests' files are, which may be memory.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  // js first: a package that ships x.ts beside x.js is not to be picked up as TypeScript.
  moduleFileExtensions: ['js', 'mjs', 'ts', 'json', 'node'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^parley/plugin-sdk$': '<rootDir>/src/plugin-sdk/index.ts',
    '^parley/plugin-sdk/testing$': '<rootDir>/src/plugin-sdk/testing.ts',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/data/'],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  setupFiles: ['<rootDir>/test/support/one-error-class.ts'],
  setupFilesAfterEnv: ['<rootDir>/test/support/console-guard.ts'],
  restoreMocks: true,
  ...options,
});

export default {
  projects: [
    project('unit', ['src', 'plugins']),
    project('medium', ['test/medium']),
    project('contract', ['test/contract']),
    project('e2e', ['test/e2e', 'test/plugins', 'test/security']),
    // Starts the built program, so it sees to it first that there is one.
    project('crash', ['test/crash'], { globalSetup: '<rootDir>/scripts/ensure-build.mjs' }),
    // The checker; how long it runs is said by PROOF_SECONDS.
    project('proof', ['test/proof'], { globalSetup: '<rootDir>/scripts/ensure-build.mjs' }),
    // Reads the built program too: the OpenAPI document is made from it, and the guides are followed with it.
    project('docs', ['test/docs', 'test/architecture'], { globalSetup: '<rootDir>/scripts/ensure-build.mjs' }),
    // Needs PostgreSQL, and the built program when it starts several of them.
    project('cluster', ['test/cluster'], { globalSetup: '<rootDir>/scripts/ensure-build.mjs' }),
  ],
  // What a file loads as ES modules is never let go of; a worker that holds much of it collects garbage more than it tests.
  workerIdleMemoryLimit: '1GB',
  // jest reads it here only; in a project it has no effect. A test that has to be quick says so itself.
  testTimeout: 60_000,
  reporters: ['default', '<rootDir>/scripts/summary-reporter.mjs'],
};
