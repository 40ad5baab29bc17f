import { DURATION_BOUNDS_MS, meter } from '../telemetry/index.js';

export const DATABASE_METRICS = {
  units: meter.histogram({
    name: 'database.units',
    exportedAs: 'database.unit.duration',
    about: "Units of work, from their start to the end of their commit, including the time in the writer's queue.",
    unit: 'ms',
    bounds: DURATION_BOUNDS_MS,
    labels: { outcome: ['committed', 'rolled_back'] },
  }),
  wait: meter.histogram({
    name: 'database.write.wait',
    about: 'Time that units waited before they began: on SQLite for the writer, on PostgreSQL for a connection of the pool.',
    unit: 'ms',
    bounds: DURATION_BOUNDS_MS,
  }),
  hold: meter.histogram({
    name: 'database.write.hold',
    about:
      'Time for which others could not write: on SQLite each transaction, from its first statement to the end of its commit; on PostgreSQL the time for which a unit held its connection.',
    unit: 'ms',
    bounds: DURATION_BOUNDS_MS,
  }),
  group: meter.histogram({
    name: 'database.commit.units',
    about: 'Units that shared a transaction and its flush to the disk, on SQLite.',
    bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256],
  }),
  connections: meter.observed({
    name: 'database.pool.connections',
    kind: 'gauge',
    about: 'Connections of this process to PostgreSQL, without those that only listen.',
    labels: { state: ['used', 'idle'] },
  }),
  poolLimit: meter.observed({
    name: 'database.pool.limit',
    kind: 'gauge',
    about: 'Connections to PostgreSQL that this process may open (DATABASE_POOL_SIZE).',
  }),
  poolWaiting: meter.observed({ name: 'database.pool.waiting', kind: 'gauge', about: 'Units and queries that wait for a connection.' }),
  notifications: meter.observed({
    name: 'database.notifications.connected',
    kind: 'gauge',
    about: 'On PostgreSQL: 1 while this process is told of the writes of others at once, 0 while it polls.',
  }),
};
