// Requests made from the OpenAPI document, spoilt in every place: no fault of the server, no broken envelope, nothing of its inside
// in any answer, no secret that leaves, no memory that stays.   FUZZ_REQUESTS=20000 FUZZ_SEED=7 npm run test:proof -- fuzz
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { idFromText } from '../../src/core/ids/index.js';
import { ApiClient } from '../support/api-client.js';
import { seedFrom } from '../support/random.js';
import { killAll, ServerProcess } from '../crash/support/server-process.js';
import { HOSTILE_BODIES, HOSTILE_SEGMENTS, valuesOf } from './support/hostile.js';

const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? '1500');
const CALLERS = 4;
const PATIENCE_MS = 20_000;
const AGENT_ID = idFromText('Vera');
const API_KEY = 'canary-api-key';
const CANARIES = [API_KEY, 'canary-model-key', 'canary-character-secret'];
/** Ends the server, or speaks for minutes: tested by themselves. */
const LEFT_OUT = new Set(['/api/server/stop']);
// Refusals with a status of 500 and more that say something true.
const TRUE_REFUSALS = new Set([
  'MODEL_UNAVAILABLE',
  'MODEL_REJECTED',
  'TURN_TIMEOUT',
  'AUDIO_BUSY',
  'NOT_IMPLEMENTED',
  'TEE_NOT_AVAILABLE',
]);

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { name: string; in: string; schema: object }[];
  readonly body: object | undefined;
}

const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/reference/openapi.json'), 'utf8')) as {
  paths: Record<
    string,
    Record<string, { parameters?: Operation['parameters']; requestBody?: { content: Record<string, { schema: object }> } }>
  >;
  components: { schemas: Record<string, object> };
};
const OPERATIONS: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  LEFT_OUT.has(path)
    ? []
    : Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
        method: method.toUpperCase(),
        path,
        parameters,
        body: requestBody?.content['application/json']?.schema,
      })),
);

let directory: string;
let server: ServerProcess;
let api: ApiClient;
const ids: string[] = [AGENT_ID, '00000000-0000-0000-0000-000000000000'];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-fuzz-'));
  await mkdir(join(directory, 'characters'));
  const character = { name: 'Vera', bio: 'An agent of the tests.', settings: { secrets: { TOKEN: 'canary-character-secret' } } };
  await writeFile(join(directory, 'characters', 'vera.json'), JSON.stringify(character));
  server = await ServerProcess.start({
    DATA_DIR: join(directory, 'data'),
    CHARACTERS_DIR: join(directory, 'characters'),
    PLUGINS_DIR: join(directory, 'plugins'),
    API_KEY,
    // No service listens there, so model calls fail at once.
    ANTHROPIC_API_KEY: 'canary-model-key',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
    MODEL_PROVIDER: 'anthropic',
    MODEL_RETRIES: '0',
    LOG_LEVEL: 'fatal',
  });
  api = new ApiClient(() => server.url);
  const headers = { 'x-api-key': API_KEY };
  for (let count = 0; count < 3; count += 1) {
    const { body } = await api.send('POST', '/api/messaging/sessions', { agentId: AGENT_ID, userId: randomUUID() }, { headers });
    ids.push(body.data.sessionId as string, body.data.channelId as string);
  }
});
afterAll(async () => {
  await killAll();
  await rm(directory, { recursive: true, force: true });
});

const resolve = (ref: string): object => document.components.schemas[ref.split('/').at(-1) ?? ''] ?? {};

interface FuzzedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

const requests = fc.constantFrom(...OPERATIONS).chain((operation): fc.Arbitrary<FuzzedRequest> => {
  const segment = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...ids) },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 2, arbitrary: fc.constantFrom(...HOSTILE_SEGMENTS) },
  );
  const holes = operation.path.match(/\{[^}]+\}/g) ?? [];
  const query = operation.parameters.filter((parameter) => parameter.in === 'query');
  const text = fc.oneof(
    { weight: 8, arbitrary: valuesOf(operation.body ?? {}, resolve, ids).map((value) => JSON.stringify(value) ?? '') },
    { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_BODIES) },
  );
  return fc
    .record({
      segments: fc.tuple(...holes.map(() => segment)),
      query: fc.record(Object.fromEntries(query.map(({ name, schema }) => [name, valuesOf(schema, resolve, ids)])), { requiredKeys: [] }),
      body: operation.method === 'GET' || operation.body === undefined ? fc.constant(undefined) : text,
      type: fc.oneof(
        { weight: 12, arbitrary: fc.constant('application/json') },
        { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'multipart/form-data', '') },
      ),
      key: fc.oneof(
        { weight: 12, arbitrary: fc.constant(API_KEY) },
        { weight: 1, arbitrary: fc.constantFrom('', 'wrong', 'x'.repeat(5000)) },
      ),
    })
    .map(({ segments, query: given, body, type, key }) => {
      let at = 0;
      const path = operation.path.replace(/\{[^}]+\}/g, () => String(segments[at++]));
      const search = Object.entries(given).map(
        ([name, value]) => `${name}=${escape(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))}`,
      );
      const headers = {
        ...(key === '' ? {} : { 'x-api-key': key }),
        ...(body === undefined || type === '' ? {} : { 'content-type': type }),
      };
      return { method: operation.method, url: search.length === 0 ? path : `${path}?${search.join('&').slice(0, 8000)}`, headers, body };
    });
});

/** As `encodeURIComponent`, which refuses lone surrogates. */
function escape(text: string): string {
  return encodeURIComponent(text.slice(0, 2000).replace(/\p{Surrogate}/gu, '\ufffd'));
}

const INSIDE = [
  /\n\s+at .+:\d+:\d+/,
  /node_modules/,
  /SQLITE_|SELECT .+ FROM|INSERT INTO/,
  /TypeError|ReferenceError|RangeError/,
  /\/dist\/|\.js:\d+/,
];

async function faultOf({ method, url, headers, body }: FuzzedRequest): Promise<string | undefined> {
  const name = `${method} ${url.slice(0, 300)} ${JSON.stringify(headers).slice(0, 200)} ${body?.slice(0, 300) ?? ''}`;
  let response: Response;
  const send = (): Promise<Response> =>
    fetch(server.url + url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  try {
    // A connection that was idle too long may be closed just when it is taken again.
    response = await send().catch((error: Error) => {
      if (/other side closed|ECONNRESET/.test(String(error.cause))) return send();
      throw error;
    });
  } catch (error) {
    return `${name}: no answer: ${String(error)} ${String((error as Error).cause)}`;
  }
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) {
    await response.body?.cancel();
    return undefined;
  }
  const text = await response.text().catch((error: unknown) => `cut: ${String(error)}`);
  // Administrators ask for these two.
  const rest = /\/api\/server\/(status|backups)/.test(name) ? text.replaceAll(/"(dataFolder|folder)":"[^"]*"/g, '') : text;
  const leak = [...INSIDE, new RegExp(directory)].find((pattern) => pattern.test(rest) && !(body ?? '').match(pattern));
  if (leak) return `${name}: ${response.status} tells of its inside (${String(leak)}): ${text.slice(0, 400)}`;
  const canary = CANARIES.find((secret) => text.includes(secret));
  if (canary !== undefined) return `${name}: ${canary} left with ${response.status}: ${text.slice(0, 400)}`;
  if (response.status < 400) return undefined;
  let error: Record<string, unknown>;
  try {
    const answer = JSON.parse(text) as { success: unknown; error: Record<string, unknown>; status: unknown };
    // The one failure without an envelope: health says that no agent runs (contract 1.1).
    if (name.includes('/health') && response.status === 503 && answer.status === 'DEGRADED') return undefined;
    error = answer.error;
    // Errors below /v1 are in OpenAI's form, and those of messages in Anthropic's.
    const isOfProtocol = answer.success === undefined && url.startsWith('/v1/');
    const ofProtocol = url.startsWith('/v1/messages') ? ['message', 'type'] : ['code', 'message', 'type'];
    const fields = isOfProtocol ? ofProtocol : ['code', 'message', 'details'];
    const whole =
      (isOfProtocol || answer.success === false) && fields.every((field) => typeof error[field] === 'string' && error[field] !== '');
    if (!whole) return `${name}: ${response.status} is no envelope: ${text.slice(0, 400)}`;
  } catch {
    return `${name}: ${response.status} is no JSON: ${text.slice(0, 400)}`;
  }
  const code = error['code'] ?? (error['details'] as { error_code?: unknown } | undefined)?.error_code;
  if (response.status >= 500 && !TRUE_REFUSALS.has(String(code).toUpperCase())) {
    return `${name}: ${response.status} ${text.slice(0, 400)}`;
  }
  return undefined;
}

function residentMegabytes(): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

it(
  `the server handles ${REQUESTS} requests generated from the OpenAPI document`,
  async () => {
    const seed = seedFrom('FUZZ_SEED');
    const faults: string[] = [];
    const begin = residentMegabytes();
    const waiting = fc.sample(requests, { seed, numRuns: REQUESTS }).values();
    await Promise.all(
      Array.from({ length: CALLERS }, async () => {
        for (const request of waiting) {
          const fault = await faultOf(request);
          if (fault !== undefined) faults.push(fault);
        }
      }),
    );
    process.stdout.write(
      `seed ${seed}: ${REQUESTS} requests to ${OPERATIONS.length} operations, ${Math.round(begin)} MB before and ${Math.round(residentMegabytes())} MB after\n`,
    );
    expect({ seed, faults: faults.slice(0, 20) }).toEqual({ seed, faults: [] });
    expect((await api.get('/healthz')).status).toBe(200);
  },
  REQUESTS * 100 + 60_000,
);

/** Sends bytes as they stand and gives back what comes. */
function raw(bytes: string | Buffer): Promise<string> {
  return new Promise((done, fail) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    socket.on('error', fail).on('close', () => done(answer));
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    socket.write(bytes);
  });
}

const HEAD = `POST /api/messaging/submit HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-KEY: ${API_KEY}\r\nContent-Type: application/json\r\n`;

it.each<[string, string | Buffer, RegExp]>([
  [
    'a length and a chunked body',
    `${HEAD}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n`,
    /^HTTP\/1.1 400/,
  ],
  ['two lengths', `${HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x`, /^HTTP\/1.1 400/],
  ['a chunk size that is none', `${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`, /^HTTP\/1.1 400/],
  ['a header without a name', `${HEAD}: x\r\nContent-Length: 2\r\n\r\n{}`, /^HTTP\/1.1 400/],
  ['a header with a line break', `${HEAD}X-Y: a\nb\r\nContent-Length: 2\r\n\r\n{}`, /^HTTP\/1.1 400/],
  ['64 KB of headers', `${HEAD}${'X-Y: z\r\n'.repeat(9000)}\r\n`, /^HTTP\/1.1 (400|431)/],
  ['no HTTP at all', '\u0016\u0003\u0001\u0002\u0000\u0001', /^HTTP\/1.1 400/],
  [
    'a compressed bomb',
    Buffer.concat([
      Buffer.from(
        `${HEAD}Content-Encoding: gzip\r\nConnection: close\r\nContent-Length: ${gzipSync(Buffer.alloc(50_000_000, 0x20)).length}\r\n\r\n`,
      ),
      gzipSync(Buffer.alloc(50_000_000, 0x20)),
    ]),
    /^HTTP\/1.1 41[35]/,
  ],
])('%s is refused in the envelope', async (_name, bytes, status) => {
  const answer = await raw(bytes);
  expect(answer).toMatch(status);
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({
    success: false,
    error: { code: expect.any(String), message: expect.any(String), details: expect.any(String) },
  });
  expect((await api.get('/healthz')).status).toBe(200);
});
