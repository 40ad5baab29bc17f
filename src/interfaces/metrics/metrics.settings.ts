import { choice, secret, type SettingValues } from '../../core/config/index.js';

export const METRICS_SETTINGS = {
  metrics: choice('METRICS', 'off', ['on', 'off'], { about: 'Whether Prometheus finds metrics at /metrics.' }),
  metricsToken: secret('METRICS_TOKEN', {
    about:
      'Bearer token with which a scraper reads /metrics and nothing else, at least 16 characters. Unset: it needs a key with the scope read, where API_KEY is set.',
    shortest: 16,
  }),
} as const;

type MetricsConfig = SettingValues<typeof METRICS_SETTINGS>;

declare module '../../core/config/config.js' {
  interface Config extends MetricsConfig {}
}
