import { flag, integer, type SettingValues } from '../../core/config/index.js';

export const SESSIONS_SETTINGS = {
  sessionTimeoutMinutes: integer(
    'SESSION_DEFAULT_TIMEOUT_MINUTES',
    30,
    { min: 5, max: 1440 },
    { editable: true, about: 'Default inactivity timeout of a session, minutes.' },
  ),
  sessionMaxDurationMinutes: integer(
    'SESSION_MAX_DURATION_MINUTES',
    720,
    { min: 5, max: 20_160 },
    { editable: true, about: 'Default maximum duration of a session, minutes.' },
  ),
  sessionWarningMinutes: integer(
    'SESSION_WARNING_THRESHOLD_MINUTES',
    5,
    { min: 1, max: 1440 },
    { editable: true, about: 'Default time before expiry at which a session sends its warning, minutes.' },
  ),
  sessionAutoRenew: flag('SESSION_AUTO_RENEW', true, { editable: true, about: 'Whether activity renews a session by default.' }),
  sessionTombstoneHours: integer(
    'SESSION_TOMBSTONE_HOURS',
    24,
    { min: 1, max: 8760 },
    { about: 'Retention of expired and ended sessions, hours; until then they return 410.' },
  ),
} as const;

type SessionConfig = SettingValues<typeof SESSIONS_SETTINGS>;

declare module '../../core/config/config.js' {
  interface Config extends SessionConfig {}
}
