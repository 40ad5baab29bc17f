import { parseArgs } from 'node:util';
import type { Config } from '../core/config/index.js';
import { serviceFetch } from '../providers/outbound/index.js';
import { oneLine } from './one-line.js';

const PATIENCE_MS = 10_000;
const DAY_MS = 86_400_000;
const MOST_DAYS = 36_500;

/** One request to `/api/keys`, and what to say about its answer. */
export interface KeyRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** What goes to standard output, and a remark that does not. */
  readonly say: (data: never) => { readonly out: string; readonly remark?: string };
}

/** A key, as the operations show it. */
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
 * Reads what stands behind `parley key`.
 *
 * @param now epoch ms
 * @throws Error when it cannot be understood, saying why
 */
export function readKeyRequest(args: readonly string[], now: number): KeyRequest {
  const [action, ...rest] = args;
  if (action === 'create') return create(rest, now);
  const [id, ...more] = parseArgs({ args: rest, options: {}, allowPositionals: true }).positionals;
  if (action === 'list' && id === undefined) return list(now);
  if (action === 'revoke' && id === undefined) throw new Error('"key revoke" needs the ID of a key; "key list" shows them.');
  if (action === 'revoke' && id !== undefined && more.length === 0) return revoke(id);
  throw new Error(`There is no command "${['key', ...args].join(' ')}".`);
}

/**
 * Sends it to the running server.
 *
 * @returns `data` of the answer
 * @throws Error when there is no API_KEY, when no server answers, or when it refuses
 */
export async function sendKeyRequest({ method, path, body }: KeyRequest, config: Config): Promise<never> {
  const { apiKey } = config;
  if (apiKey === undefined) throw new Error('API_KEY is not set. Set it to the API_KEY of the server, or to a key with the scope admin.');
  const server = addressOf(config);
  const response = await serviceFetch(server)(`${server}/api/keys${path}`, {
    method,
    // The key is for this server only.
    redirect: 'manual',
    headers: { 'x-api-key': apiKey, ...(body ? { 'content-type': 'application/json' } : {}) },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch((error: unknown) => {
    const way = 'Start it, or set SERVER_URL (or SERVER_HOST and SERVER_PORT) to where it listens.';
    throw new Error(`No server answers at ${server}. ${way}`, { cause: error });
  });
  const answer = (await response.json().catch(() => undefined)) as
    { success: true; data: never } | { success: false; error: { message: string; details: string } } | undefined;
  if (answer?.success === true) return answer.data;
  if (answer?.success === false) throw new Error(oneLine(answer.error));
  throw new Error(`What answers at ${server} is no Parley server (status ${response.status}). Set SERVER_URL to where yours listens.`);
}

function create(args: string[], now: number): KeyRequest {
  const text = { type: 'string' } as const;
  const several = { ...text, multiple: true } as const;
  const options = { name: text, scope: text, agent: several, user: several, expires: text } as const;
  const { name, scope, agent, user, expires } = parseArgs({ args, options }).values;
  if (name === undefined) throw new Error('A key needs a name: --name "what it is for".');
  if (scope === undefined) throw new Error('A key needs a scope: --scope read, write or admin.');
  const days = expires === undefined ? undefined : Number(expires);
  if (days !== undefined && !(Number.isInteger(days) && days >= 1 && days <= MOST_DAYS)) {
    throw new Error(`--expires must be a whole number of days from 1 to ${MOST_DAYS}.`);
  }
  const expiresAt = days === undefined ? undefined : new Date(now + days * DAY_MS).toISOString();
  return {
    method: 'POST',
    path: '',
    body: { name, scope, agents: agent, users: user?.includes('all') === true ? 'all' : user, expiresAt },
    say: ({ key, token }: { key: Key; token: string }) => ({
      out: `${token}\n`,
      remark: `This is the key ${key.id}. It is not shown again.\n`,
    }),
  };
}

function list(now: number): KeyRequest {
  return {
    method: 'GET',
    path: '',
    say: ({ keys }: { keys: readonly Key[] }) => {
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
    say: (key: Key) => ({ out: `The key ${key.id} (${JSON.stringify(key.name)}) is revoked.\n` }),
  };
}

/** The name as JSON: it may hold what would steer the terminal. */
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

function addressOf({ publicUrl, host, port }: Config): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '');
  if (port === 0) throw new Error('SERVER_PORT is 0, so the port is not known here. Set SERVER_URL to where the server listens.');
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
