// The console's one connection to the server: requests, sockets, and the credential that both carry.
import { signal } from '@preact/signals';
import { NetworkError, Parley, ParleyError } from 'parley-client';
import { connectLive, type Live } from 'parley-client/socket';
import { inWords } from './field-names.js';
import { t } from './i18n.js';

/** Kept in memory and in the storage of the tab, or of the browser when the person asks for it. */
const KEY = 'parley.key';

function storedKey(): string | undefined {
  return sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY) ?? undefined;
}

/** The API key of this tab. */
export const credential = signal(storedKey());

/** Whether this tab may use the server. A key that expires or is revoked in mid-work brings the sign-in back; the address stays. */
export const access = signal<'unknown' | 'granted' | 'needs-key'>('unknown');

/** Whether the server responds, as the newest request or the socket tells. */
export const reachable = signal(true);

export const parley = new Parley({
  credential: () => credential.value,
  fetch: async (input, init) => {
    const response = await fetch(input, init).catch((error: unknown) => {
      if (init?.signal?.aborted !== true) reachable.value = false;
      throw error;
    });
    reachable.value = true;
    if (response.status === 401) access.value = 'needs-key';
    return response;
  },
});

let connection: Live | undefined;

/** The socket of this tab, opened when it is first needed. */
export function live(): Live {
  if (!connection) {
    connection = connectLive(parley);
    connection.onState((state) => {
      if (state === 'open' || state === 'reconnecting') reachable.value = state === 'open';
    });
  }
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

/** What to tell a person of a failure: message and way out, as the server says them, with the labels of fields. */
export function errorText(error: unknown): string {
  // What a browser says of it is in its own words, and in English.
  if (error instanceof NetworkError) return t('status.unreachable');
  if (error instanceof ParleyError) {
    const { message, details } = error;
    // Of several invalid fields, the message names the first, and the details all.
    if (details.startsWith(message)) return details.split('; ').map(inWords).join('; ');
    return [inWords(message), details].filter(Boolean).join(' ');
  }
  return error instanceof Error ? error.message : String(error);
}
