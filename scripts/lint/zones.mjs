// Packages and globals that only certain zones of src may use, with the alternative elsewhere. rules.mjs reads these tables. `zones` match
// paths relative to the root of the repository. CONTRIBUTING.md explains how to change an entry.

const DATABASE = [
  /\/entities\//,
  /\/migrations\//,
  /\/repositories\//,
  /\.repository\.ts$/,
  /\.entity\.ts$/,
  /^src\/core\/(database|journal)\//,
  /^ormconfig\.ts$/,
];

// Addresses given by clients or models must be checked: the server could otherwise be used to reach hosts behind the firewall (SSRF).
const OUTSIDE = {
  // express-messages.ts extends the classes of received requests and sends none.
  zones: [/^src\/providers\/outbound\//, /\.spec\.ts$/, /^src\/core\/http\/express-messages\.ts$/],
  instead: 'Use src/providers/outbound: serviceFetch for a service that the operator configured, Outbound for any other address.',
};

const CLIENTS = /^(node:)?(https?|http2|net|tls|dgram|dns)(\/|$)|^(undici|axios|got|ky|node-fetch|ws|socket\.io-client|eventsource)(\/|$)/;

export const MODULES = [
  { module: CLIENTS, ...OUTSIDE, types: true },
  {
    module: /^typeorm(\/|$)/,
    zones: DATABASE,
    instead: 'Call a repository of the module that owns the table (repositories/, *.repository.ts).',
  },
  {
    module: /^@nestjs\/typeorm$/,
    zones: [...DATABASE, /\.module\.ts$/],
    instead: 'Inject a repository class of this module; only that class injects the TypeORM repository.',
  },
  {
    module: /^express$/,
    zones: [/^src\/core\/http\//, /^src\/bootstrap\//, /^src\/modules\/plugins\//],
    instead: 'Use parameter decorators and return a value; code that needs the raw request or response belongs in src/core/http.',
  },
  {
    module: /^socket\.io$/,
    zones: [/^src\/interfaces\/gateway\//, /^src\/bootstrap\//],
    instead: 'Append a journal entry: only the gateway, which reads the journal, sends to sockets.',
  },
  {
    module: /^@nestjs\/swagger$/,
    zones: [/^src\/openapi\//],
    instead: 'Use types, TSDoc and the decorators of core/http (CONTRIBUTING.md): the running server does not load the document generator.',
  },
  {
    module: /^(node:)?timers(\/promises)?$/,
    zones: [/^src\/core\/clock\//],
    instead: 'Inject Clock (src/core/clock) and use clock.after() or clock.at(), so that tests can move time.',
  },
];

/** A thread of its own, which watches the main thread and has no `Clock`. */
const WATCHING_THREAD = /^src\/modules\/diagnostics\/stall-watch\.worker\.js$/;

/** The kit for tests of plugins, which run outside of the server. */
const PLUGIN_TESTING = /^src\/plugin-sdk\/testing\b/;

export const GLOBALS = [
  { names: ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'], ...OUTSIDE },
  {
    names: ['setTimeout', 'setInterval'],
    zones: [/^src\/core\/clock\//, WATCHING_THREAD, PLUGIN_TESTING],
    instead: 'Inject Clock (src/core/clock) and use clock.after() or clock.at(), so that tests can move time.',
  },
  {
    names: ['setImmediate'],
    zones: [/^src\/core\/(clock|database|journal)\//],
    instead: 'Await a promise; to run something later, use Clock (src/core/clock).',
  },
];

export const WALL_CLOCK = {
  zones: [/^src\/core\/clock\//, WATCHING_THREAD, PLUGIN_TESTING],
  instead: 'Inject Clock (src/core/clock) and use clock.now(); new Date(clock.now()) where a Date is needed.',
};

export const ENVIRONMENT = {
  zones: [/^src\/core\/config\//, /^src\/bootstrap\/program\.ts$/, /^ormconfig\.ts$/],
  instead: 'Add a setting to the *.settings.ts of your module and inject CONFIG.',
};

export const HTTP_EXCEPTIONS = {
  zones: [/^src\/core\/http\//],
  instead: 'Throw an AppError with a code from src/core/errors; src/core/http alone decides the status.',
};
