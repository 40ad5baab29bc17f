// The same fleet by arithmetic: rates times costs, and Little's law (what is under way = rate x time).
import { EXTENDED_AFTER_MS, GATHER_MS, HEARTBEAT_MS, LOOK_MS, MAX_TEXTS, POLL_MS, RENEW_MS, STORE_MS } from './program.mjs';
import { entriesPerSecond, loopMs, pollMs, readElsewhere, streamOf } from './rates.mjs';

const POLLS_PER_SECOND = 1000 / POLL_MS;
const HEARTBEATS_PER_SECOND = 1000 / HEARTBEAT_MS;
const DAY = 86_400;
// Beyond it, waiting is without bound.
const FULL = 0.95;

export function arithmeticOf(scenario, costs) {
  const load = loadOf(scenario, costs);
  const { rate, processes, databases, notifier, partitions, deletionConnections } = scenario;
  const { units, entries, notifications, received, processMs, running, trips, texts, followed } = load;
  const coresNeeded = Object.values(databaseMs(scenario, costs, load)).reduce((sum, ms) => sum + ms, 0) / 1000;
  const walPerSecond =
    rate * (costs.messageUnit.walBytes + costs.replyUnit.walBytes) +
    texts * costs.storedText.walBytes +
    load.changes * (costs.session.walBytes + 2 * costs.announcement.walBytes) +
    databases * load.extensions * costs.heartbeat.walBytes * running +
    (partitions ? 0 : entries * costs.retention.deleteWalBytes);
  const networkBytes =
    rate * costs.limits.turnBytes + (texts + load.delivered) * costs.storedText.bytes + POLLS_PER_SECOND * followed * costs.heads.bytes;
  const deletion = partitions ? 0 : ((entries / databases) * costs.retention.deleteUs) / 1e6 / deletionConnections;
  return {
    statements: load.statements,
    trips,
    writes: units,
    received: received / processes,
    coresNeeded,
    open: load.open * databases,
    running,
    processBusy: processMs / 1000,
    connections: (scenario.pooler ?? processes * scenario.pool) * databases,
    entriesPerDay: entries * DAY,
    wraparoundHours: (2 ** 31 * databases) / units / 3600,
    deletion,
    limits: [
      ['event loop of a process', processMs / 1000],
      ['turns at a time of a process (`TURN_CONCURRENCY`)', running / processes / scenario.slots],
      ['texts of a process, one unit at a time', (load.textUnits / processes) * (textMs(scenario, costs, load) / 1000)],
      [`processor of a database (${scenario.databaseCores} cores)`, coresNeeded / databases / scenario.databaseCores],
      [
        'connections of a process (`DATABASE_POOL_SIZE`)',
        ((trips / processes / databases) * tripSeconds(scenario, coresNeeded, trips, units)) / scenario.pool,
      ],
      ['commits that notify, one at a time', notifier === 'notify' ? (notifications / databases) * (costs.notify.processorMs / 1000) : 0],
      [`the leader, deleting journal entries (${deletionConnections} connections)`, deletion],
      ['the sequence', ((entries / databases) * costs.drawUs) / 1e6],
      [`log, ${costs.limits.walMb} MB/s`, walPerSecond / databases / 1e6 / costs.limits.walMb],
      [`network of a database, ${costs.limits.networkMb} MB/s`, networkBytes / 1e6 / costs.limits.networkMb / databases],
    ].sort(([, a], [, b]) => b - a),
  };
}

/** What happens per second in all processes. */
function loadOf(scenario, costs) {
  const { rate, processes, sessions, sessionMinutes, streamMs, databases, notifier, listeners } = scenario;
  const stream = streamOf(scenario);
  const changes = sessions / (sessionMinutes * 60);
  const texts = rate * stream.stores;
  const textUnits = textUnitsOf(scenario);
  const units = rate * 2 + textUnits + 4 * changes;
  const announced = 2 * changes;
  const notifications = notificationsOf({ ...scenario, units: units - announced }, announced);
  // Each message reaches every process but its sender.
  const received = notifications * (processes - 1);
  // Those of a session that is made come together.
  const hinted = (rate * 2 + texts + 3 * changes) * (processes - 1);
  const asked = notifier === 'nats' ? rate * stream.asks * (listeners === undefined ? 1 : 2) * (processes - 1) : 0;
  const elsewhere = readElsewhere(scenario);
  const others = scenario.spread && processes > 1 ? rate : 0;
  // A process learns of its own entries without a read.
  const delivered = elsewhere ? ((rate * 2 + texts + 3 * changes) * (processes - 1)) / processes : 0;
  const { runs, reads } = loopMs(scenario, costs);
  const processMs =
    (rate * (costs.turn.processMs + runs + reads) +
      received * costs.hint.messageMs +
      hinted * costs.hint.channelMs +
      asked * costs.message.receiveMs +
      delivered * costs.channelRead.processMs) /
    processes;
  const running = (rate * (streamMs + placeMs(scenario, costs, processMs / 1000, units))) / 1000;
  const renewals = (1000 / RENEW_MS + (processes - 1) * (1000 / LOOK_MS)) / processes;
  const extensions = (1000 * running) / rate >= EXTENDED_AFTER_MS ? HEARTBEATS_PER_SECOND : 0;
  const background = renewals + databases * (HEARTBEATS_PER_SECOND + extensions);
  const polls = processes * databases * POLLS_PER_SECOND;
  // The others join the query for the context of a turn.
  const ownNotifications = notifier === 'notify' ? notifications - rate : 0;
  const trips = rate * 2 + units + others + delivered + polls + processes * background + ownNotifications;
  const unitMs =
    rate * (costs.messageUnit.processorMs + costs.replyUnit.processorMs) +
    textUnits * costs.storedText.processorMs +
    texts * costs.storedText.eachMs +
    changes * (costs.session.processorMs + 2 * costs.announcement.processorMs) +
    units * commitMs(scenario, units);
  return {
    ...{ changes, texts, textUnits, units, notifications, received, others, delivered, processMs, running },
    ...{ renewals, extensions, polls, trips },
    entries: entriesPerSecond(scenario, costs),
    // The channels of running turns, and of clients that listen.
    followed: running + (elsewhere ? sessions : 0),
    // A unit has its mark and the rows of its channels from its first statement to the end of the flush.
    open: unitMs / databases / 1000,
    // A text is two statements, a poll three.
    statements: trips + 2 * texts - textUnits + 2 * polls,
  };
}

/** Processor time of the databases, ms per second. */
function databaseMs(scenario, costs, load) {
  const { rate, processes, databases, notifier, partitions } = scenario;
  const { changes, texts, textUnits, followed, extensions, running, notifications } = load;
  const { sessionRead, messageUnit, contextRead, replyUnit, storedText, heartbeat, heads } = costs;
  return {
    turns: rate * (sessionRead.processorMs + messageUnit.processorMs + contextRead.processorMs + replyUnit.processorMs),
    texts: textUnits * storedText.processorMs + texts * storedText.eachMs,
    sessions: changes * (costs.session.processorMs + 2 * costs.announcement.processorMs),
    listeners: (load.others + load.delivered) * costs.channelRead.processorMs,
    polls: load.polls * pollMs(scenario, costs, load.open, 0) + POLLS_PER_SECOND * followed * heads.channelMs,
    background:
      processes *
        (load.renewals * costs.lease.processorMs +
          databases * (extensions * heartbeat.processorMs + HEARTBEATS_PER_SECOND * costs.lookUp.processorMs)) +
      databases * extensions * heartbeat.turnMs * running,
    notifications: notifier === 'notify' ? notifications * (costs.notify.processorMs + costs.notify.listenerMs * processes) : 0,
    retention: partitions ? 0 : (load.entries * costs.retention.deleteUs) / 1000,
  };
}

/** Units per second that store the texts of running replies: of each process and database, of so many replies at most. */
function textUnitsOf({ rate, processes, databases, streamMs }) {
  const replies = (rate * streamMs) / 1000 / processes / databases;
  const each = replies > MAX_TEXTS / 2 ? replies / MAX_TEXTS + 0.5 : 1 - Math.exp(-replies);
  return processes * databases * (1000 / STORE_MS) * each;
}

/** How long a unit that stores texts takes, on average. */
function textMs(scenario, { storedText }, { texts, textUnits, units }) {
  if (textUnits === 0) return 0;
  return scenario.networkMs + storedText.processorMs + (texts / textUnits) * storedText.eachMs + commitMs(scenario, units);
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
