// Allowed dependencies, which `npm run deps:check` enforces.

// A module may import itself, core, plugin-sdk, and the index.ts of the folders in its row. Before you add a dependency, explain in
// docs/decisions why it cannot be inverted (with a journal event, or a registry that the lower module owns).
export const MODULES = {
  access: [],
  audit: [],
  backups: ['providers/storage'],
  'server-model': ['providers/models'],
  diagnostics: [],
  agents: ['providers/services'],
  messaging: ['agents'],
  memory: ['agents', 'messaging', 'providers/models'],
  knowledge: ['agents', 'memory', 'providers/outbound', 'providers/storage'],
  media: ['agents', 'knowledge', 'messaging', 'providers/storage'],
  sessions: ['access', 'agents', 'messaging'],
  usage: ['agents', 'messaging'],
  profiles: ['agents', 'messaging', 'memory', 'usage', 'providers/models'],
  turns: ['agents', 'messaging', 'memory', 'knowledge', 'media', 'usage', 'profiles', 'providers/models', 'providers/tools'],
  protocols: ['access', 'agents', 'media', 'messaging', 'turns', 'providers/models'],
  audio: ['agents', 'messaging', 'turns', 'providers/speech'],
  plugins: ['access', 'agents', 'messaging', 'memory', 'media', 'turns', 'providers/models', 'providers/speech', 'providers/tools'],
  privacy: ['agents'],
  tee: ['agents', 'providers/tee'],
  logs: ['agents', 'turns'],
  statistics: ['turns', 'usage'],
  system: ['agents', 'messaging', 'providers/models', 'providers/speech'],
};

// An interface may import itself, core, and the index.ts of the modules in its row, or 'interfaces/<name>' for a protocol that is based on
// another.
export const INTERFACES = {
  anthropic: ['agents', 'messaging', 'protocols', 'turns', 'providers/models'],
  'ai-sdk': ['agents', 'messaging', 'protocols'],
  console: ['plugins'],
  docs: [],
  external: ['agents', 'messaging'],
  gateway: ['access', 'agents', 'messaging', 'sessions', 'audio', 'logs'],
  metrics: ['access'],
  openai: ['agents', 'audio', 'messaging', 'protocols', 'turns'],
  streams: ['messaging', 'sessions'],
  submit: ['messaging'],
};

const SPEC = '\\.spec\\.ts$';
const target = (name) => (name.includes('/') ? `^src/${name}/` : `^src/modules/${name}/`);

const error = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const moduleRules = Object.entries(MODULES).map(([module, row]) =>
  error(
    `dependencies-of-${module}`,
    `src/modules/${module} may import only core, plugin-sdk and [${row.join(', ')}]. ` +
      `If the dependency cannot be inverted, add the name to the row "${module}" of MODULES in .dependency-cruiser.mjs, with a decision that explains why.`,
    { path: `^src/modules/${module}/` },
    { path: '^src/', pathNot: [`^src/modules/${module}/`, '^src/core/', '^src/plugin-sdk/', ...row.map(target)] },
  ),
);

const interfaceRules = Object.entries(INTERFACES).map(([name, row]) =>
  error(
    `dependencies-of-${name}`,
    `src/interfaces/${name} may import only core and [${row.join(', ')}]. ` +
      `If the protocol needs another module, add its name to the row "${name}" of INTERFACES in .dependency-cruiser.mjs.`,
    { path: `^src/interfaces/${name}/` },
    { path: '^src/', pathNot: [`^src/interfaces/${name}/`, '^src/core/', ...row.map(target)] },
  ),
);

export default {
  forbidden: [
    error(
      'no-cycles',
      'Two files import each other, possibly types only. Move the shared code to a third file below them.',
      {},
      { circular: true },
    ),
    ...moduleRules,
    error(
      'module-without-row',
      'Add a row for the new module to MODULES in .dependency-cruiser.mjs, empty at first.',
      { path: `^src/modules/(?!(${Object.keys(MODULES).join('|')})/)` },
      { path: '.' },
    ),
    ...interfaceRules,
    error(
      'interface-without-row',
      'Add a row for the new interface to INTERFACES in .dependency-cruiser.mjs with the modules that it calls.',
      { path: `^src/interfaces/(?!(${Object.keys(INTERFACES).join('|')})/)` },
      { path: '.' },
    ),
    error(
      'interfaces-store-nothing',
      'An interface translates a protocol and stores nothing. Call a service of the module that owns the data.',
      { path: '^src/interfaces/' },
      { path: '^(src/core/database/|.*(/entities/|\\.(entity|repository)\\.ts$))' },
    ),
    error(
      'modules-meet-at-index',
      'Import from the index.ts of the other folder, which exports its public members.',
      { path: '^src/((modules|providers|interfaces)/[^/]+)/' },
      { path: '^src/(modules|interfaces)/[^/]+/(?!index\\.ts$)', pathNot: '^src/$1/' },
    ),
    error(
      'top-uses-index',
      'Import from the index.ts of the folder, which exports its public members.',
      { path: '^src/', pathNot: '^src/(modules|interfaces)/' },
      { path: '^src/(modules|interfaces)/[^/]+/(?!index\\.ts$)' },
    ),
    error(
      'entities-stay-home',
      'A module does not export its entities: refer to rows of other modules by id, and call their service.',
      { path: '^src/modules/[^/]+/index\\.ts$' },
      { path: '(/entities/|\\.entity\\.ts$)' },
    ),
    error(
      'core-knows-only-core',
      'core must not depend on other code. Let the other part register itself, or pass what core needs as a parameter.',
      { path: '^src/core/', pathNot: SPEC },
      { path: '^(src|plugins|test|bench)/', pathNot: '^src/core/' },
    ),
    error(
      'providers-know-no-module',
      'A provider adapts an external service and depends on core and the plugin SDK only. The calling module passes what the provider needs.',
      { path: '^src/providers/', pathNot: SPEC },
      { path: '^(src|plugins)/', pathNot: '^src/(core|providers|plugin-sdk)/' },
    ),
    error(
      'operations-run-alone',
      'An operation is an application of its own: commands of src/cli run it, and the server does not need it. Move what both need to core.',
      { path: '^src/(?!(cli/commands\\.ts$|operations/))', pathNot: SPEC },
      { path: '^src/operations/' },
    ),
    error(
      'operations-know-no-other',
      'An operation imports core, the index.ts of providers and modules, and what commands share in src/cli; not another operation.',
      { path: '^src/operations/([^/]+)/' },
      { path: '^src/operations/', pathNot: '^src/operations/$1/' },
    ),
    error(
      'plugin-sdk-stands-alone',
      'Plugin authors compile against the SDK, so it imports nothing else of Parley.',
      { path: '^src/plugin-sdk/', pathNot: SPEC },
      { path: '^(src|plugins)/', pathNot: '^src/plugin-sdk/' },
    ),
    error(
      'plugins-know-only-the-sdk',
      'A plugin imports only the SDK, npm packages and its own files, like a plugin outside this repository.',
      { path: '^plugins/([^/]+)', pathNot: SPEC },
      { path: '^(src|test|bench|plugins)/', pathNot: ['^src/plugin-sdk/', '^plugins/$1'] },
    ),
    error(
      'client-stands-alone',
      'Apps install parley-client without this repository: it imports its own files, socket.io-client where sockets are used, and React in its hook.',
      { path: '^client/' },
      { path: '.', pathNot: ['^client/src/', 'node_modules/(socket\\.io-client|preact|react|@types/react)/'] },
    ),
    error(
      'client-without-sockets',
      'Only parley-client/socket needs socket.io-client. Apps that do not use it must not load it.',
      { path: '^client/src/(?!(socket|voice)\\.ts$)' },
      { path: '(^client/src/(socket|voice)\\.ts$|socket\\.io-client)' },
    ),
    error(
      'console-uses-the-client',
      'The console is an app like those of users: it talks to the server by parley-client and the HTTP interface only.',
      { path: '^console/' },
      { path: '^(src|plugins|test|bench|scripts)/' },
    ),
    error(
      'src-does-not-know-clients',
      'The server is used by the client and the console; it imports neither.',
      { path: '^src/', pathNot: SPEC },
      { path: '^(client|console)/' },
    ),
    error(
      'src-does-not-know-plugins',
      'Plugins are discovered at start, by folder or package; the program never imports one by name.',
      { path: '^src/' },
      { path: '^plugins/' },
    ),
    error(
      'src-does-not-know-tests',
      'The program must not import tests. Only a spec file may use test/support.',
      { path: '^src/', pathNot: SPEC },
      { path: `(^(test|bench)/|${SPEC})` },
    ),
    error(
      'src-runs-on-dependencies',
      'This package is neither in "dependencies" nor in "peerDependencies" of package.json, so a production installation does not have it.',
      // src/openapi runs in development only: it writes the document that the server sends.
      { path: '^(src|plugins)/', pathNot: [SPEC, '^src/openapi/'] },
      // The build copies these (decisions 54 and 62).
      {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only', 'npm-peer'],
        pathNot: 'node_modules/(@audio/decode-webm|@nestjs/[^/]+)/',
      },
    ),
    // The clients in test/clients have packages of their own, and scripts read what a build makes.
    error(
      'resolvable',
      'The file or package does not exist.',
      { pathNot: '^test/clients/' },
      { couldNotResolve: true, pathNot: '(^|/)dist/' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(client/)?dist/' },
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
