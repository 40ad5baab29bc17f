// The console's one connection to the server: requests, sockets, and the credential that both carry.
import { signal } from '@preact/signals';
import { Parley, ParleyError } from '@parley/client';
import { connectLive, type Live } from '@parley/client/socket';

/** Kept in memory and in the storage of the tab, or of the browser when the person asks for it. */
const KEY = 'parley.key';

function storedKey(): string | undefined {
  return sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY) ?? undefined;
}

/** The API key of this tab. */
export const credential = signal(storedKey());

/** Whether this tab may use the server. A key that expires or is revoked in mid-work brings the sign-in back; the address stays. */
export const access = signal<'unknown' | 'granted' | 'needs-key'>('unknown');

export const parley = new Parley({
  credential: () => credential.value,
  fetch: async (input, init) => {
    const response = await fetch(input, init);
    if (response.status === 401) access.value = 'needs-key';
    return response;
  },
});

let connection: Live | undefined;

/** The socket of this tab, opened when it is first needed. */
export function live(): Live {
  connection ??= connectLive(parley);
  return connection;
}

/**
 * Signs in with an API key.
 *
 * @param remember keep the key in this browser, beyond the tab
 * @throws ParleyError when the server refuses the key
 */
export async function signIn(key: string, remember: boolean): Promise<void> {
  const before = credential.value;
  credential.value = key;
  try {
    await parley.call('GET /api/agents', { query: { limit: 1 } });
  } catch (error) {
    credential.value = before;
    throw error;
  }
  // A former key in the other storage would come back later.
  sessionStorage.removeItem(KEY);
  localStorage.removeItem(KEY);
  (remember ? localStorage : sessionStorage).setItem(KEY, key);
  closeConnection();
}

export function signOut(): void {
  sessionStorage.removeItem(KEY);
  localStorage.removeItem(KEY);
  credential.value = undefined;
  closeConnection();
}

/** Calls back when another credential speaks from now on: nothing that the former one has read may stay. */
export function onCredentialChange(listener: () => void): void {
  listeners.add(listener);
}

const listeners = new Set<() => void>();

function closeConnection(): void {
  for (const listener of listeners) listener();
  connection?.close();
  connection = undefined;
}

/** What to tell a person of a failure: message and way out, as the server says them. */
export function faultText(error: unknown): string {
  if (error instanceof ParleyError) return [error.message, error.details].filter(Boolean).join(' ');
  return error instanceof Error ? error.message : String(error);
}
