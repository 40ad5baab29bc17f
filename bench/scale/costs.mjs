// What the simulation takes as costs. 24 November 2026, PostgreSQL 15, Node 20.20, two cores of an AMD EPYC that others used as well.
//
// `npm run bench:scale -- --measure` prints them anew, for the fleets and for single statements. Times are processor time of the database's
// backends (`/proc/PID/schedstat`) or of Parley, which other programs lengthen too, by sharing caches and cores: of three runs under a load of 9 to
// 14, these are the lowest. The costs of a turn are split as they were under load (42 % Parley, 30 % database, 28 % callers, stub model, proxy and
// the rest of PostgreSQL), of the 13.4 ms of both cores that a turn took in a quiet hour: 149 turns/s in `npm run bench:fleet` (decision 40).
// Sizes and counts do not depend on the load. "Assumed" costs were not measured.

export const COSTS = {
  turn: { processMs: 5.6, loadMs: 3.8 },
  // The parts of the database's 4.0 ms, in the proportion of their execution times in pg_stat_statements. Bytes of the log with full pages.
  sessionRead: { processorMs: 0.1 },
  messageUnit: { processorMs: 0.95, walBytes: 8000, entries: 3.2 },
  contextRead: { processorMs: 1.85 },
  replyUnit: { processorMs: 1.1, walBytes: 11_000, entries: 3.3 },
  // The part of the process is assumed.
  channelRead: { processorMs: 0.1, processMs: 0.1 },
  // The unit that stores texts: 0.195 ms for one, 1.07 for 10, 5.58 for 50; in another run 0.34, 2.35 and 12.6. Read by index: a bench has too
  // few rows for that by itself. Bytes of an entry between Parley and the database are assumed.
  storedText: { processorMs: 0.085, eachMs: 0.11, walBytes: 870, processMs: 0.24, bytes: 600 },
  // Replies of 5 s, 40 at once on PostgreSQL (`npm run bench -- --only streams --readers 40 --pieces N`), ms of processor for each: see
  // docs/scale.md. Chosen by hand to come near all of them.
  piece: { processMs: 0.06 },
  told: { requests: 0.1, streams: 0.1, sockets: 0.05 },
  // A part of a reply for another process: sealed and sent, received and opened.
  carried: { sendMs: 0.014, receiveMs: 0.01 },
  // In batches of 100.
  message: { receiveMs: 0.0015 },
  // A session with its channel, in two round trips; the warning and the expiry are taken for units of one entry.
  session: { processorMs: 1.9, walBytes: 4650 },
  announcement: { processorMs: 0.28, walBytes: 1110 },
  lease: { processorMs: 0.1 },
  // The leases of 500 turns: 1.5 ms and 46,000 bytes of log at best, 1.5 to 3 ms and up to 113,000 in others.
  heartbeat: { processorMs: 0.1, turnMs: 0.0028, walBytes: 93 },
  lookUp: { processorMs: 0.1 },
  // The heads of 10,000 channels: 7.4 ms. Bytes of an id.
  heads: { processorMs: 0.1, channelMs: 0.00074, bytes: 40 },
  // With 120 connections: 0.118 ms with no transaction, 0.148 with 30 and 0.174 with 120 of them and two locks each. Connections are assumed.
  horizon: { processorMs: 0.1, connectionMs: 0.0001, lockMs: 0.00024, readMs: 0.1 },
  // Locks of a transaction that writes: all, and those in the shared table; six samples.
  unitLocks: { all: 54, shared: 34 },
  // 400 notifications with no and with 50 connections that listen.
  notify: { processorMs: 0.06, listenerMs: 0.05 },
  // The message is assumed. One of its channels: 0.0003 ms.
  hint: { messageMs: 0.01, channelMs: 0.0003 },
  // 100,000 entries in pages of 5,000: 8.8 us, VACUUM 2.0 us each; a partition of 100,000 was dropped in 18 ms.
  retention: { deleteUs: 8.8, vacuumUs: 2, deleteWalBytes: 56 },
  drawUs: 0.34,
  // Growth of files with indexes; of it the journal.
  bytes: { turn: 13_000, journalTurn: 4500, session: 6000 },
  // What a large machine can do, assumed. A turn's answers and parameters between Parley and the database.
  limits: { walMb: 500, networkMb: 1250, turnBytes: 20_000 },
};

const QUIET = { at: 'quiet', flushMs: 0.3, databaseFactor: 1 };
// The same machine while others used it. What the callers took is set so that the first of these rates is right.
const LOADED = { at: 'loaded', flushMs: 3.9 };

export const MEASURED = {
  cores: 2,
  conditions: [
    { ...QUIET, label: '1 process', size: 1, callers: 16, perSecond: 149, statements: 5.1, trips: 4.2 },
    { ...QUIET, label: '4 processes', size: 4, callers: 16, perSecond: 102, statements: 5.8, trips: 4.9 },
    // Each turn took 1.8 times the processor time that it took one process.
    {
      ...QUIET,
      label: '4 processes, their processor time',
      size: 4,
      callers: 16,
      perSecond: 102,
      statements: 5.8,
      trips: 4.9,
      turn: { processMs: 10.1 },
    },
    { ...QUIET, label: '4 processes, spread', size: 4, callers: 16, spread: true, statements: 6.8, trips: 5.9, turn: { processMs: 10.1 } },
    {
      ...LOADED,
      label: '1 process, loaded',
      size: 1,
      callers: 16,
      perSecond: 65.9,
      statements: 4.8,
      trips: 4.4,
      p50: 232,
      p99: 326,
      databaseFactor: 1.8,
      turn: { processMs: 12.7, loadMs: 10.5 },
    },
    {
      ...LOADED,
      label: '1 process, 1 caller, loaded',
      size: 1,
      callers: 1,
      perSecond: 33.9,
      statements: 5.9,
      trips: 5.6,
      p50: 27.7,
      p99: 56.7,
      databaseFactor: 1.8,
      turn: { processMs: 12.8, loadMs: 10.5 },
    },
    {
      ...LOADED,
      label: '2 processes, loaded',
      size: 2,
      callers: 16,
      perSecond: 75.4,
      statements: 5.2,
      trips: 4.8,
      p50: 195,
      p99: 412,
      databaseFactor: 1.9,
      turn: { processMs: 12.1, loadMs: 10.5 },
    },
  ],
};
