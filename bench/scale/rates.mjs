// What the simulation and the arithmetic both count with.
import { ASK_MS, STORE_MS, TELL_MS } from './program.mjs';

/** How often readers are told of a reply, its text is stored before its end, and other processes are asked whether they read it. */
export function streamOf({ streamMs, pieces }) {
  if (streamMs === 0) return { tells: 0, stores: 0, asks: 0 };
  const intervalMs = streamMs / pieces;
  return {
    tells: pieces / (1 + Math.floor(TELL_MS / intervalMs)),
    stores: (streamMs - intervalMs) / Math.max(STORE_MS, intervalMs),
    asks: Math.ceil(streamMs / ASK_MS),
  };
}

/** Journal entries per second that retention has to remove as fast. */
export function entriesPerSecond(scenario, costs) {
  const { rate, sessions, sessionMinutes } = scenario;
  const { stores } = streamOf(scenario);
  return rate * (costs.messageUnit.entries + costs.replyUnit.entries + stores) + (4 * sessions) / (sessionMinutes * 60);
}

/** The read of a process when it looks for what no hint announced: the horizon, new entries, and the heads of the channels that it follows. */
export function pollMs(scenario, { horizon, heads, unitLocks }, open, followed) {
  const connections = scenario.pooler ?? scenario.processes * scenario.pool;
  const horizonMs = horizon.processorMs + horizon.connectionMs * connections + horizon.lockMs * open * unitLocks.all;
  return horizonMs + horizon.readMs + heads.processorMs + heads.channelMs * followed;
}

/** Whether replies are read by clients of other processes than those that run their turns. */
export function readElsewhere({ processes, listeners }) {
  return processes > 1 && (listeners === 'streams' || listeners === 'sockets');
}

/** Work of the process that runs a turn, and of the process whose client reads the reply: ms of the event loop for each reply beside its turn. */
export function loopMs(scenario, { piece, told, storedText, carried }) {
  const { tells, stores } = streamOf(scenario);
  const toldMs = tells * (told[scenario.listeners] ?? 0);
  const ownMs = (tells > 0 ? scenario.pieces * piece.processMs : 0) + stores * storedText.processMs;
  return readElsewhere(scenario)
    ? { runs: ownMs + tells * carried.sendMs, reads: toldMs + tells * carried.receiveMs }
    : { runs: ownMs + toldMs, reads: 0 };
}
