// Who may import whom. `npm run deps:check` holds the repository to it.

// A module may import itself, core, plugin-sdk, and the index.ts of what stands in its row. To add an edge, write down
// in docs/decisions why it cannot be turned round (an event in the journal, a registry that the lower module owns),
// then add the name here.
const EDGES = {
  access: [],
  agents: [],
  messaging: ['agents'],
  memory: ['agents', 'providers/models'],
  media: ['agents', 'messaging'],
  sessions: ['agents', 'messaging'],
  turns: ['agents', 'messaging', 'memory', 'media', 'providers/models'],
  audio: ['agents', 'messaging', 'turns', 'providers/speech'],
  plugins: ['access', 'agents', 'messaging', 'memory', 'media', 'turns', 'system', 'providers/models', 'providers/speech'],
  tee: ['agents', 'providers/tee'],
  logs: ['agents', 'turns'],
  gateway: ['access', 'agents', 'messaging', 'sessions', 'turns', 'audio', 'logs'],
  system: ['agents', 'messaging', 'providers/models', 'providers/speech'],
};

const SPEC = '\\.spec\\.ts$';
const provider = (name) => name.startsWith('providers/');
const target = (name) => (provider(name) ? `^src/${name}/` : `^src/modules/${name}/`);

const error = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const edgeRules = Object.entries(EDGES).map(([module, row]) =>
  error(
    `edges-of-${module}`,
    `src/modules/${module} may import only core, plugin-sdk and [${row.join(', ')}]. ` +
      `If the edge cannot be turned round, add the name to the row "${module}" of EDGES in .dependency-cruiser.mjs, with a decision that says why.`,
    { path: `^src/modules/${module}/` },
    { path: '^src/', pathNot: [`^src/modules/${module}/`, '^src/core/', '^src/plugin-sdk/', ...row.map(target)] },
  ),
);

export default {
  forbidden: [
    error(
      'no-cycles',
      'Two files need each other, types included. Move what both need into a third file below them.',
      {},
      { circular: true },
    ),
    ...edgeRules,
    error(
      'module-without-row',
      'Add a row for the new module to EDGES in .dependency-cruiser.mjs; begin with an empty one.',
      { path: `^src/modules/(?!(${Object.keys(EDGES).join('|')})/)` },
      { path: '.' },
    ),
    error(
      'modules-meet-at-index',
      'Import from the index.ts of the other module; export there what is meant for others.',
      { path: '^src/(modules/[^/]+|providers/[^/]+)/' },
      { path: '^src/modules/([^/]+)/(?!index\\.ts$)', pathNot: '^src/$1/' },
    ),
    error(
      'top-uses-index',
      'Import from the index.ts of the module; export there what is meant for others.',
      { path: '^src/', pathNot: ['^src/modules/', '^src/schema\\.ts$'] },
      { path: '^src/modules/[^/]+/(?!index\\.ts$)' },
    ),
    error(
      'schema-lists-entities',
      'schema.ts names the tables of every module, from its entities/index.ts, and nothing else of it.',
      { path: '^src/schema\\.ts$' },
      { path: '^src/modules/[^/]+/(?!entities/index\\.ts$)' },
    ),
    error(
      'entities-stay-home',
      'An entity is not exported from its module: refer to rows of other modules by id, and ask their service.',
      { path: '^src/modules/[^/]+/index\\.ts$' },
      { path: '(/entities/|\\.entity\\.ts$)' },
    ),
    error(
      'core-knows-only-core',
      'core is what everything stands on. Let the upper part register itself, or take what is needed as a parameter.',
      { path: '^src/core/', pathNot: SPEC },
      { path: '^(src|plugins|test|bench)/', pathNot: '^src/core/' },
    ),
    error(
      'providers-know-no-module',
      'A provider adapts the world outside and knows core alone. Let the module that calls it pass what it needs.',
      { path: '^src/providers/', pathNot: SPEC },
      { path: '^(src|plugins)/', pathNot: '^src/(core|providers)/' },
    ),
    error(
      'plugin-sdk-stands-alone',
      'The SDK is what plugin authors compile against: it imports nothing of ours.',
      { path: '^src/plugin-sdk/', pathNot: SPEC },
      { path: '^(src|plugins)/', pathNot: '^src/plugin-sdk/' },
    ),
    error(
      'plugins-know-only-the-sdk',
      'A plugin imports the SDK, npm packages and its own files, as a plugin outside this repository would.',
      { path: '^plugins/([^/]+)', pathNot: SPEC },
      { path: '^(src|test|bench|plugins)/', pathNot: ['^src/plugin-sdk/', '^plugins/$1'] },
    ),
    error(
      'src-does-not-know-plugins',
      'Plugins are found at start, by their folder or package; the program never imports one by name.',
      { path: '^src/' },
      { path: '^plugins/' },
    ),
    error(
      'src-does-not-know-tests',
      'The program never needs its tests. Only a spec file may use test/support.',
      { path: '^src/', pathNot: SPEC },
      { path: `(^(test|bench)/|${SPEC})` },
    ),
    error(
      'src-runs-on-dependencies',
      'This package is not among the "dependencies" of package.json, so a production install would not have it.',
      { path: '^(src|plugins)/', pathNot: SPEC },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    ),
    error('resolvable', 'There is no such file or package.', {}, { couldNotResolve: true }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    detectProcessBuiltinModuleCalls: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      mainFields: ['module', 'main', 'types'],
    },
    reporterOptions: { text: { highlightFocused: true } },
  },
};
