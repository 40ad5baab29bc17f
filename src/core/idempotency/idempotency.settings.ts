import { integer, type SettingValues } from '../config/index.js';

export const IDEMPOTENCY_SETTINGS = {
  idempotencyHours: integer(
    'IDEMPOTENCY_HOURS',
    48,
    { min: 24, max: 8760 },
    { about: 'Retention of responses to requests with an Idempotency-Key, hours.' },
  ),
} as const;

type IdempotencyConfig = SettingValues<typeof IDEMPOTENCY_SETTINGS>;

declare module '../config/config.js' {
  interface Config extends IdempotencyConfig {}
}
