import type { Config } from '../core/config/index.js';
import { serviceFetch } from '../providers/outbound/index.js';
import { readArguments, readSubcommand, UsageError } from './arguments.js';
import { oneLine } from './one-line.js';
import { now, type Command } from './program.js';
import { serverAddress } from './server-address.js';

const TIMEOUT_MS = 10_000;
const DAY_MS = 86_400_000;
const MAX_DAYS = 36_500;

export const keyCommand: Command = {
  usage: `  key create --name NAME --scope read|write|admin [--agent ID]... [--user ID|all]... [--expires DAYS]
                      create an API key and print it once; options restrict it to agents, name the users it vouches for, and
                      let it expire
  key list            list the API keys
  key revoke ID       revoke an API key; key commands call the server at SERVER_URL (or SERVER_HOST and SERVER_PORT) with API_KEY
`,
  async run(args, program, terminal) {
    const request = readKeyRequest(args, now().getTime());
    const { out, note } = request.format(await sendKeyRequest(request, await program.config()));
    if (note !== undefined) terminal.err(note);
    return out;
  },
};

/** A request to `/api/keys`, and the formatting of its response. */
interface KeyRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** Text for standard output, and an optional note for standard error. */
  readonly format: (data: never) => { readonly out: string; readonly note?: string };
}

/** A key in responses of `/api/keys`. */
interface Key {
  readonly id: string;
  readonly name: string;
  readonly scope: string;
  readonly agents: readonly string[] | null;
  readonly users: 'all' | readonly string[] | null;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
}

/**
 * Parses the arguments of `parley key`.
 *
 * @param now epoch ms
 * @throws UsageError
 */
function readKeyRequest(args: readonly string[], now: number): KeyRequest {
  const [given, ...rest] = args;
  const action = readSubcommand('key', given, ['create', 'list', 'revoke']);
  if (action === 'create') return create(rest, now);
  const [id, ...more] = readArguments(rest, {}).positionals;
  if (action === 'list') {
    if (id !== undefined) throw new UsageError('"key list" takes no arguments.');
    return list(now);
  }
  if (id === undefined) throw new UsageError('"key revoke" needs the ID of a key; "key list" shows them.');
  if (more.length > 0) throw new UsageError('"key revoke" takes one ID.');
  return revoke(id);
}

/**
 * Sends a request to the running server.
 *
 * @returns `data` of the response
 * @throws Error when API_KEY is not set, no server responds, or the request fails
 */
async function sendKeyRequest({ method, path, body }: KeyRequest, config: Config): Promise<never> {
  const { apiKey } = config;
  if (apiKey === undefined) throw new Error('API_KEY is not set. Set it to the API_KEY of the server, or to a key with the scope admin.');
  const server = serverAddress(config);
  const response = await serviceFetch(server)(`${server}/api/keys${path}`, {
    method,
    // The key must not be sent to another server.
    redirect: 'manual',
    headers: { 'x-api-key': apiKey, ...(body ? { 'content-type': 'application/json' } : {}) },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    const way = 'Start it, or set SERVER_URL (or SERVER_HOST and SERVER_PORT) to where it listens.';
    throw new Error(`No server responds at ${server}. ${way}`, { cause: error });
  });
  const result = (await response.json().catch(() => undefined)) as
    { success: true; data: never } | { success: false; error: { message: string; details: string } } | undefined;
  if (result?.success === true) return result.data;
  if (result?.success === false) throw new Error(oneLine(result.error));
  throw new Error(`${server} is not a Parley server (status ${response.status}). Set SERVER_URL to the address of your server.`);
}

function create(args: string[], now: number): KeyRequest {
  const text = { type: 'string' } as const;
  const several = { ...text, multiple: true } as const;
  const options = { name: text, scope: text, agent: several, user: several, expires: text } as const;
  const { values, positionals } = readArguments(args, options);
  const { name, scope, agent, user, expires } = values;
  if (positionals.length > 0) throw new UsageError('"key create" takes options only.');
  if (name === undefined) throw new UsageError('A key needs a name: --name "what it is for".');
  if (scope === undefined) throw new UsageError('A key needs a scope: --scope read, write or admin.');
  const days = expires === undefined ? undefined : Number(expires);
  if (days !== undefined && !(Number.isInteger(days) && days >= 1 && days <= MAX_DAYS)) {
    throw new UsageError(`--expires must be a whole number of days from 1 to ${MAX_DAYS}.`);
  }
  const expiresAt = days === undefined ? undefined : new Date(now + days * DAY_MS).toISOString();
  return {
    method: 'POST',
    path: '',
    body: { name, scope, agents: agent, users: user?.includes('all') === true ? 'all' : user, expiresAt },
    format: ({ key, token }: { key: Key; token: string }) => ({
      out: `${token}\n`,
      note: `This is the key ${key.id}. It is not shown again.\n`,
    }),
  };
}

function list(now: number): KeyRequest {
  return {
    method: 'GET',
    path: '',
    format: ({ keys }: { keys: readonly Key[] }) => {
      const rows = [['ID', 'SCOPE', 'STATE', 'LAST USED', 'AGENTS', 'USERS', 'NAME'], ...keys.map((key) => cellsOf(key, now))];
      const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
      const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
      return { out: `${lines.map((line) => line.trimEnd()).join('\n')}\n` };
    },
  };
}

function revoke(id: string): KeyRequest {
  return {
    method: 'DELETE',
    path: `/${encodeURIComponent(id)}`,
    format: (key: Key) => ({ out: `The key ${key.id} (${JSON.stringify(key.name)}) is revoked.\n` }),
  };
}

/** The name is printed as JSON, because it may contain terminal control sequences. */
function cellsOf({ id, name, scope, agents, users, expiresAt, revokedAt, lastUsedAt }: Key, now: number): string[] {
  const vouched = users === null ? 'none' : users === 'all' ? users : users.join(',');
  const state = stateOf(expiresAt, revokedAt, now);
  return [id, scope, state, lastUsedAt ?? 'never', agents?.join(',') ?? 'all', vouched, JSON.stringify(name)];
}

function stateOf(expiresAt: string | null, revokedAt: string | null, now: number): string {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt === null) return 'valid';
  return Date.parse(expiresAt) <= now ? 'expired' : `until ${expiresAt}`;
}
