// What may be used only in certain rooms of src, and what to do elsewhere. The rules of rules.mjs read these tables.
// `rooms` are tested against the path from the root of the repository. CONTRIBUTING.md says how to change a line here.

const DATABASE = [
  /\/entities\//,
  /\/repositories\//,
  /\.repository\.ts$/,
  /\.entity\.ts$/,
  /^src\/core\/(database|journal)\//,
  /^ormconfig\.ts$/,
];

// An address that a client or a model gave must not be asked unchecked: from here it reaches what is behind the firewall.
const OUTSIDE = {
  rooms: [/^src\/providers\/outbound\//, /\.spec\.ts$/],
  instead:
    'Use src/providers/outbound: serviceFetch for a service that the operator configured, Outbound for an address that anybody else gave.',
};

const CLIENTS = /^(node:)?(https?|http2|net|tls|dgram|dns)(\/|$)|^(undici|axios|got|ky|node-fetch|ws|socket\.io-client|eventsource)(\/|$)/;

export const MODULES = [
  { module: CLIENTS, ...OUTSIDE, types: true },
  {
    module: /^typeorm(\/|$)/,
    rooms: DATABASE,
    instead: 'Let a repository of the module that owns the table do it (repositories/, *.repository.ts), and call that.',
  },
  {
    module: /^@nestjs\/typeorm$/,
    rooms: [...DATABASE, /\.module\.ts$/],
    instead: 'Inject a repository class of this module; only that asks for the TypeORM repository.',
  },
  {
    module: /^express$/,
    rooms: [/^src\/core\/http\//, /^src\/bootstrap\//, /^src\/modules\/plugins\//],
    instead: 'Take parameters by decorator and return a value; what needs the raw request or response belongs in src/core/http.',
  },
  {
    module: /^socket\.io$/,
    rooms: [/^src\/modules\/gateway\//, /^src\/bootstrap\//],
    instead: 'Append a journal entry: the gateway reads the journal and is the only one that speaks to sockets.',
  },
  {
    module: /^@nestjs\/swagger$/,
    rooms: [/^src\/openapi\//],
    instead:
      'Say it with types, TSDoc and the decorators of core/http (CONTRIBUTING.md): the running server does not load the document maker.',
  },
  {
    module: /^(node:)?timers(\/promises)?$/,
    rooms: [/^src\/core\/clock\//],
    instead: 'Inject Clock (src/core/clock) and use clock.after() or clock.at(), so that tests can move time.',
  },
];

export const GLOBALS = [
  { names: ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'], ...OUTSIDE },
  {
    names: ['setTimeout', 'setInterval'],
    rooms: [/^src\/core\/clock\//],
    instead: 'Inject Clock (src/core/clock) and use clock.after() or clock.at(), so that tests can move time.',
  },
  {
    names: ['setImmediate'],
    rooms: [/^src\/core\/(clock|database|journal)\//],
    instead: 'Await what you are waiting for; to run something later use Clock (src/core/clock).',
  },
];

export const WALL_CLOCK = {
  rooms: [/^src\/core\/clock\//],
  instead: 'Inject Clock (src/core/clock) and use clock.now(); new Date(clock.now()) where a Date is needed.',
};

export const ENVIRONMENT = {
  rooms: [/^src\/core\/config\//, /^src\/main\.ts$/, /^ormconfig\.ts$/],
  instead: 'Add a setting to SETTINGS in src/core/config/config.ts and inject CONFIG.',
};

export const HTTP_EXCEPTIONS = {
  rooms: [/^src\/core\/http\//],
  instead: 'Throw an AppError with a code from src/core/errors; src/core/http alone decides the status.',
};
