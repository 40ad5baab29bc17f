// The same fleet by arithmetic: rates times costs, and Little's law (what is under way = rate x time).
import { entriesPerSecond, EXTENDED_AFTER_MS, GATHER_MS, HEARTBEAT_MS, LOOK_MS, piecesOf, readMs, RENEW_MS, watchedOf } from './rates.mjs';

const POLLS_PER_SECOND = 1;
const HEARTBEATS_PER_SECOND = 1000 / HEARTBEAT_MS;
const DAY = 86_400;
// Beyond it, waiting is without bound.
const FULL = 0.95;

export function arithmeticOf(scenario, costs) {
  const { rate, processes, sessions, sessionMinutes, streamMs, databases, networkMs, notifier, listeners } = scenario;
  const chunks = piecesOf(scenario);
  const changes = sessions / (sessionMinutes * 60);
  const units = rate * (2 + chunks) + 4 * changes;
  const others = scenario.spread && processes > 1 ? rate : 0;
  const entries = entriesPerSecond(scenario, costs);
  const announced = 2 * changes;
  const notifications = notificationsOf({ ...scenario, units: units - announced }, announced);
  // Each message reaches every process but its sender.
  const received = notifications * (processes - 1);
  const workMs = (rate * (costs.turn.processMs + chunks * costs.chunk.processMs)) / processes;
  const hintMs = (received / processes) * costs.hint.messageMs;
  const runningAt = (busy) => (rate * (streamMs + placeMs(scenario, costs, busy, units))) / 1000;
  const running = runningAt((workMs + hintMs) / 1000);
  // The channels of running turns, and of event streams.
  const followed = running + (listeners === 'streams' ? sessions : 0);
  const processMs = workMs + hintMs;
  const delivered = listeners === 'streams' ? units : 0;
  const wakes = listeners === 'sockets' ? (units - announced / 2) / processes / databases : 0;
  const renewals = (1000 / RENEW_MS + (processes - 1) * (1000 / LOOK_MS)) / processes;
  const extensions = (1000 * running) / rate >= EXTENDED_AFTER_MS ? HEARTBEATS_PER_SECOND : 0;
  const background = renewals + databases * (HEARTBEATS_PER_SECOND + extensions);
  const unitMs =
    rate * (costs.messageUnit.processorMs + costs.replyUnit.processorMs + chunks * costs.chunk.processorMs) +
    changes * (costs.session.processorMs + 2 * costs.announcement.processorMs) +
    units * commitMs(scenario, units);
  // A unit has its mark and the row of its channel from its first statement to the end of the flush.
  const open = unitMs / databases / 1000;
  const watchedChannels = watchedOf(scenario);
  const read = readMs(scenario, costs, open, 0);
  // A reader that is woken while it reads begins again at once; otherwise it waits for the next wake-up.
  const woken = wakes + POLLS_PER_SECOND;
  const readSeconds = (read + networkMs) / 1000;
  const reads = 1 / (readSeconds + Math.exp(-woken * readSeconds) / woken);
  const scanned = watchedChannels > 0 ? (entries / databases) * costs.watched.entryMs * processes * databases : 0;
  const cpu = {
    turns:
      rate * (costs.sessionRead.processorMs + costs.messageUnit.processorMs + costs.contextRead.processorMs + costs.replyUnit.processorMs) +
      rate * chunks * costs.chunk.processorMs,
    sessions: changes * (costs.session.processorMs + 2 * costs.announcement.processorMs),
    listeners: (others + delivered) * costs.channelRead.processorMs + reads * processes * databases * read + scanned,
    polls:
      processes *
        (renewals * costs.lease.processorMs +
          databases * (extensions * costs.heartbeat.processorMs + HEARTBEATS_PER_SECOND * costs.lookUp.processorMs)) +
      databases * extensions * costs.heartbeat.turnMs * running +
      POLLS_PER_SECOND * (processes * databases * costs.heads.processorMs + followed * costs.heads.channelMs),
    notifications: notifier === 'notify' ? notifications * (costs.notify.processorMs + costs.notify.listenerMs * processes) : 0,
    retention: scenario.partitions ? 0 : (entries * costs.retention.deleteUs) / 1000,
  };
  const coresNeeded = Object.values(cpu).reduce((sum, ms) => sum + ms, 0) / 1000;
  // The others join the query for the context of a turn.
  const ownNotifications = notifier === 'notify' ? notifications - rate : 0;
  const trips =
    rate * 2 +
    units +
    others +
    delivered +
    reads * processes * databases +
    processes * (background + databases * POLLS_PER_SECOND) +
    ownNotifications;
  const walPerSecond =
    rate * (costs.messageUnit.walBytes + costs.replyUnit.walBytes + chunks * costs.chunk.walBytes) +
    changes * (costs.session.walBytes + 2 * costs.announcement.walBytes) +
    (scenario.partitions ? 0 : entries * costs.retention.deleteWalBytes);
  return {
    statements: trips + reads * processes * databases,
    trips,
    writes: units,
    received: received / processes,
    coresNeeded,
    open: open * databases,
    running,
    processBusy: processMs / 1000,
    connections: (scenario.pooler ?? processes * scenario.pool) * databases,
    entriesPerDay: entries * DAY,
    wraparoundHours: (2 ** 31 * databases) / units / 3600,
    limits: [
      ['event loop of a process', processMs / 1000],
      ['turns at a time of a process (`TURN_CONCURRENCY`)', running / processes / scenario.slots],
      [`processor of a database (${scenario.databaseCores} cores)`, coresNeeded / databases / scenario.databaseCores],
      [
        'connections of a process (`DATABASE_POOL_SIZE`)',
        ((trips / processes / databases) * tripSeconds(scenario, coresNeeded, trips, units)) / scenario.pool,
      ],
      ['commits that notify, one at a time', notifier === 'notify' ? (notifications / databases) * (costs.notify.processorMs / 1000) : 0],
      ['the leader, deleting journal entries', scenario.partitions ? 0 : ((entries / databases) * costs.retention.deleteUs) / 1e6],
      ['the sequence', ((entries / databases) * costs.drawUs) / 1e6],
      [`log, ${costs.limits.walMb} MB/s`, walPerSecond / databases / 1e6 / costs.limits.walMb],
      [
        `network of a database, ${costs.limits.networkMb} MB/s`,
        (reads * processes * watchedChannels * costs.watched.bytes + rate * costs.limits.turnBytes) /
          1e6 /
          costs.limits.networkMb /
          databases,
      ],
    ].sort(([, a], [, b]) => b - a),
  };
}

/** Messages with hints per second, of all processes. Hints are gathered for a moment after the first. */
function notificationsOf({ processes, databases, notifier, rate, units }, announced) {
  if (processes === 1 && notifier === 'nats') return 0;
  const gatherSeconds = GATHER_MS / 1000;
  const gathered = (perSecond) => perSecond / (1 + perSecond * gatherSeconds);
  const turns = rate / processes / databases;
  // With NOTIFY, the query for the context of a turn takes what has been gathered: the hint of the message, and earlier ones.
  const ofProcess = (perSecond) =>
    notifier === 'nats' ? gathered(perSecond) : turns + gathered(perSecond - turns) * Math.exp(-turns * gatherSeconds);
  // The two units of a new session are stored together.
  const others = (units - announced / 2) / processes / databases;
  return databases * ((processes - 1) * ofProcess(others) + ofProcess(others + announced / databases));
}

/** How long a turn occupies its place without the model, waiting for the event loop included. */
function placeMs(scenario, costs, busy, units) {
  const database = costs.messageUnit.processorMs + costs.contextRead.processorMs + costs.replyUnit.processorMs;
  const alone = costs.turn.processMs / 2 + database + 3 * scenario.networkMs + 2 * commitMs(scenario, units);
  // Two of four parts of the work of a process; each waits for others (a queue with random arrivals and equal work).
  const use = Math.min(busy, FULL);
  return alone + (use / (1 - use)) * (costs.turn.processMs / 4);
}

/** How long a commit waits: for its own flush of the log, and for half of the one that is under way, if there is one. */
function commitMs({ flushMs, databases }, units) {
  const flushes = (units / databases) * (flushMs / 1000);
  return flushMs * (1 + flushes / (1 + flushes) / 2);
}

/** How long a round trip occupies a connection, on average. */
function tripSeconds(scenario, coresNeeded, trips, units) {
  return (scenario.networkMs + (coresNeeded * 1000 + units * commitMs(scenario, units)) / trips) / 1000;
}
