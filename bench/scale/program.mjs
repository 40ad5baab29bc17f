// The constants of the program that the simulation counts with, from its source, so that they cannot differ.
import { readFileSync } from 'node:fs';

const SRC = new URL('../../src/', import.meta.url);

/** Pieces of a reply that come within it are told as one. */
export const TELL_MS = constant('modules/turns/attempt/reply-text.ts', 'TELL_MS');
/** The text of running replies is stored so often, in units of so many replies. */
export const STORE_MS = constant('modules/turns/attempt/text-store.ts', 'STORE_MS');
export const MAX_TEXTS = constant('modules/turns/attempt/text-store.ts', 'MAX_TEXTS');
/** How often the readers of a running reply are looked for in other processes. */
export const ASK_MS = constant('modules/messaging/replies/remote-pieces.ts', 'ASK_MS');
/** For how long a process gathers hints. */
export const GATHER_MS = constant('core/database/hints.ts', 'GATHER_MS');
export const POLL_MS = constant('core/journal/shared-feed.ts', 'POLL_MS');
export const HEARTBEAT_MS = constant('modules/turns/attempt/turn-runner.ts', 'SHARED_HEARTBEAT_MS');
/** Leases of turns that have run for less are not extended. */
export const EXTENDED_AFTER_MS = HEARTBEAT_MS * constant('core/queue/queue.ts', 'NEW_SHARE');
/** The leader renews its lease; the others look when it would end. */
export const RENEW_MS = constant('core/leadership/leadership.ts', 'RENEW_MS');
export const LOOK_MS = constant('core/leadership/leadership.ts', 'LEASE_MS') - RENEW_MS / 2;
/** Entries that retention deletes in one unit. */
export const PAGE = constant('core/journal/journal-retention.ts', 'PAGE');
export const PAGES_AT_ONCE = constant('core/journal/journal-retention.ts', 'PAGES_AT_ONCE_ON_POSTGRES');

/** @throws Error when the file no longer has it */
function constant(file, name) {
  const text = readFileSync(new URL(file, SRC), 'utf8');
  const [, dividend, divisor = '1'] = new RegExp(`^const ${name} = ([\\d_]+)(?: / (\\d+))?;`, 'm').exec(text) ?? [];
  if (dividend === undefined) throw new Error(`src/${file} has no constant ${name}, with which the simulation counts`);
  return Number(dividend.replaceAll('_', '')) / Number(divisor);
}
