// The fleets that are simulated.
import { PAGES_AT_ONCE } from './program.mjs';

const BASE = {
  processes: 1,
  sessions: 10_000,
  rate: 100,
  sessionMinutes: 30,
  streamMs: 0,
  pieces: 0,
  deletionConnections: PAGES_AT_ONCE,
  databases: 1,
  databaseCores: 64,
  networkMs: 1,
  flushMs: 0.5,
  pool: 10,
  slots: 512,
  spread: true,
  notifier: 'nats',
  partitions: true,
};

const FULL = { ...BASE, processes: 100, sessions: 1_000_000, rate: 10_000 };

/** Sizes, with a model that answers at once: what the program and the database themselves cost. */
export const SIZES = [
  { ...BASE, name: '1 process, 10 k sessions, 100/s', notifier: 'notify', partitions: false },
  { ...BASE, name: '10 processes, 10 k sessions, 100/s', processes: 10, notifier: 'notify', partitions: false },
  {
    ...BASE,
    name: '10 processes, 1 M sessions, 1,000/s',
    processes: 10,
    sessions: 1_000_000,
    rate: 1000,
    notifier: 'notify',
    partitions: false,
  },
  { ...BASE, name: '10 processes, 1 M sessions, 1,000/s, NATS', processes: 10, sessions: 1_000_000, rate: 1000, partitions: false },
  { ...BASE, name: '100 processes, 1 M sessions, 1,000/s, NATS', processes: 100, sessions: 1_000_000, rate: 1000, partitions: false },
  { ...FULL, name: '100 processes, 1 M sessions, 10,000/s, NOTIFY', notifier: 'notify', partitions: false },
  { ...FULL, name: '100 processes, 1 M sessions, 10,000/s, NATS', partitions: false },
  { ...FULL, name: 'the same, partitions' },
  { ...FULL, name: 'the same, sticky', spread: false },
  { ...FULL, name: 'the same, PgBouncer with 200 connections', spread: false, pooler: 200 },
  { ...FULL, name: 'the same over 4 databases', spread: false, databases: 4, pool: 10 },
  { ...FULL, name: 'the same over 16 databases', spread: false, databases: 16, pool: 4 },
];

/** A model that writes for 5 s. */
const STREAMED = { ...FULL, streamMs: 5000, pieces: 250, slots: 1000, partitions: false };

/** What real models and listening clients add. */
export const LISTENERS = [
  { ...FULL, name: 'an event stream for each session', listeners: 'streams', partitions: false },
  { ...FULL, name: 'a socket for each session', listeners: 'sockets', partitions: false },
  { ...FULL, name: 'a socket for each session, 4 databases', listeners: 'sockets', databases: 4 },
  { ...BASE, name: '10 processes, 10 k sockets, 100/s', processes: 10, listeners: 'sockets', partitions: false },
  {
    ...BASE,
    name: '10 processes, 100 k sockets, 1,000/s',
    processes: 10,
    sessions: 100_000,
    rate: 1000,
    listeners: 'sockets',
    partitions: false,
  },
  { ...STREAMED, name: '2 s of 100 pieces, nobody reads', streamMs: 2000, pieces: 100, slots: 512 },
  ...[25, 250].flatMap((pieces) => [
    { ...STREAMED, name: `5 s of ${pieces} pieces, read by the request`, pieces, listeners: 'requests' },
    { ...STREAMED, name: `5 s of ${pieces} pieces, event streams`, pieces, listeners: 'streams' },
    { ...STREAMED, name: `5 s of ${pieces} pieces, sockets`, pieces, listeners: 'sockets' },
  ]),
  // So many that their event loops are not full.
  { ...STREAMED, name: '5 s of 250 pieces, read by the request, 1,000 processes', processes: 1000, pool: 4, listeners: 'requests' },
  { ...STREAMED, name: '5 s of 250 pieces, event streams, 1,000 processes', processes: 1000, pool: 4, listeners: 'streams' },
];

/** The conditions of a measurement: everything on one machine, with a millisecond of network. */
export function measuredScenario({ size, callers, spread = false, flushMs }, cores) {
  const notifier = 'notify';
  return { ...BASE, processes: size, callers, spread, notifier, sessions: callers, networkMs: 1.1, flushMs, machineCores: cores };
}
