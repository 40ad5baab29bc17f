// What the simulation and the arithmetic both count with.

/** For how long a process gathers hints. */
export const GATHER_MS = 20;
export const HEARTBEAT_MS = 600;
/** Leases of turns that have run for less are not extended. */
export const EXTENDED_AFTER_MS = HEARTBEAT_MS / 3;
/** The leader renews its lease; the others look when it would end. */
export const RENEW_MS = 500;
export const LOOK_MS = 1750;

/** Chunks of a reply that are stored before its end. */
export function piecesOf({ streamMs, chunkMs }) {
  return Math.max(0, Math.ceil(streamMs / chunkMs) - 1);
}

/** Journal entries per second that retention has to remove as fast. */
export function entriesPerSecond(scenario, costs) {
  const { rate, sessions, sessionMinutes } = scenario;
  return rate * (costs.messageUnit.entries + costs.replyUnit.entries + piecesOf(scenario)) + (4 * sessions) / (sessionMinutes * 60);
}

/** Channels with sockets that a process watches in a database. */
export function watchedOf({ listeners, sessions, processes, databases }) {
  return listeners === 'sockets' ? sessions / processes / databases : 0;
}

/**
 * The read of a process that has been woken: the horizon, and the entries that are new. With watched channels, it reads over those of
 * others.
 *
 * @param open transactions that write
 */
export function readMs(scenario, { horizon, unitLocks, watched }, open, fresh) {
  const connections = scenario.pooler ?? scenario.processes * scenario.pool;
  const channels = watchedOf(scenario);
  const horizonMs = horizon.processorMs + horizon.connectionMs * connections + horizon.lockMs * open * unitLocks.all;
  return horizonMs + watched.processorMs + watched.channelMs * channels + (channels > 0 ? watched.entryMs * fresh : 0);
}
