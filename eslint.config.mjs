import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import parley from './scripts/lint/rules.mjs';

const TYPESCRIPT = ['**/*.{ts,tsx}'];
const JAVASCRIPT = ['**/*.{js,mjs,cjs}'];
const TESTS = ['test/**/*.ts', 'bench/**/*.ts', '**/*.spec.ts'];

const off = (...rules) => Object.fromEntries(rules.map((rule) => [rule, 'off']));
const node = (...names) => Object.fromEntries(names.map((name) => [name, 'readonly']));

export default defineConfig([
  globalIgnores(['dist/', 'client/dist/', 'data/', 'coverage/']),
  // A rule holds for everybody: it is changed here, where a review sees it, and not in the line it complains about.
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
  {
    rules: {
      curly: ['error', 'multi-line'],
      eqeqeq: 'error',
      'no-else-return': 'error',
      'no-param-reassign': 'error',
      'no-return-assign': 'error',
      'no-template-curly-in-string': 'error',
      'no-unmodified-loop-condition': 'error',
      'no-useless-rename': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'no-var': 'error',
    },
  },
  {
    files: JAVASCRIPT,
    languageOptions: {
      globals: {
        ...node(
          'process',
          'console',
          'Buffer',
          'URL',
          'URLSearchParams',
          'AbortController',
          'AbortSignal',
          'fetch',
          'FormData',
          'Blob',
          'File',
        ),
        ...node('setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'performance', 'structuredClone'),
        ...node('TextEncoder', 'TextDecoder', 'ReadableStream', 'Response', 'Request', 'WebAssembly', 'crypto', 'queueMicrotask'),
      },
    },
    rules: {
      'no-undef': 'error',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_', caughtErrors: 'none' }],
      'no-unreachable': 'error',
      'no-dupe-keys': 'error',
      'no-fallthrough': 'error',
    },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: { globals: node('require', 'module', 'exports', '__dirname', '__filename') },
  },
  {
    files: TYPESCRIPT,
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/prefer-promise-reject-errors': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/require-array-sort-compare': ['error', { ignoreStringArrays: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', caughtErrors: 'none', ignoreRestSiblings: true }],
      // Not `consistent-type-imports`: its fix turns injected classes and request classes into types (see no-type-only-metadata).
      '@typescript-eslint/consistent-type-imports': 'off',
      // Modules add their events, settings and codes to interfaces of core by declaration merging.
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'always' }],
      // An async method without await turns a throw into a rejection, which is what its callers expect.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['src/**', 'ormconfig.ts'],
    plugins: { parley },
    rules: {
      'parley/module-zone': 'error',
      'parley/global-zone': 'error',
      'parley/wall-clock': 'error',
      'parley/environment': 'error',
      'parley/http-exception': 'error',
      'parley/no-type-only-metadata': 'error',
    },
  },
  {
    files: ['src/**'],
    rules: {
      'parley/no-default-export': 'error',
      'parley/whole-characters': 'error',
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['src/**', 'test/**/*.ts', 'plugins/**'],
    ignores: ['src/bootstrap/program.ts', 'src/cli/**', 'src/operations/**', 'test/support/console-guard.ts'],
    rules: { 'no-console': 'error' },
  },
  {
    files: TESTS,
    rules: off(
      '@typescript-eslint/no-unsafe-argument',
      '@typescript-eslint/no-unsafe-assignment',
      '@typescript-eslint/no-unsafe-call',
      '@typescript-eslint/no-unsafe-member-access',
      '@typescript-eslint/no-unsafe-return',
      '@typescript-eslint/unbound-method',
    ),
  },
]);
