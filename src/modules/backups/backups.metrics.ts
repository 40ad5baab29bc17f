import { meter } from '../../core/telemetry/index.js';

/** From a second to hours, ms. */
const BOUNDS_MS = [1000, 5000, 15_000, 60_000, 300_000, 900_000, 3_600_000, 14_400_000] as const;

export const BACKUP_METRICS = {
  attempts: meter.histogram({
    name: 'backups.attempts',
    about: 'Attempts at scheduled backups by this process, with their verification. `interrupted`: the server was stopped.',
    unit: 'ms',
    bounds: BOUNDS_MS,
    labels: { outcome: ['completed', 'failed', 'interrupted'] },
  }),
  lastSuccess: meter.gauge({
    name: 'backups.last_success_timestamp',
    about:
      'When the latest scheduled backup that this process knows of was complete, since the epoch; 0 before the first. The leader knows all.',
    unit: 'ms',
  }),
  lastDuration: meter.gauge({ name: 'backups.last_duration', about: 'How long that backup took.', unit: 'ms' }),
  lastSize: meter.gauge({ name: 'backups.last_size', about: 'Size of that backup.', unit: 'bytes' }),
  failing: meter.gauge({
    name: 'backups.failing',
    about: 'Whether the latest attempt at a scheduled backup failed, 0 or 1. In a fleet, only the leader has 1.',
  }),
};
