import { choice, integer } from './settings.js';

/** How much callers may do in a while; part of SETTINGS. */
export const RATE_LIMIT_SETTINGS = {
  rateLimit: choice('RATE_LIMIT', 'auto', ['auto', 'on', 'off'], {
    about: 'Whether callers are limited; auto does so when there is an API_KEY. The administrator is not limited.',
  }),
  rateLimitWindowSeconds: integer(
    'RATE_LIMIT_WINDOW_SECONDS',
    900,
    { min: 1, max: 86_400 },
    { about: 'Time for which the limits below count, seconds.' },
  ),
  rateLimitRequests: integer(
    'RATE_LIMIT_REQUESTS',
    1000,
    { min: 1, max: 1_000_000_000 },
    { about: 'Requests and socket events of a key, a session token or an address.' },
  ),
  rateLimitUploads: integer(
    'RATE_LIMIT_UPLOADS',
    50,
    { min: 1, max: 1_000_000_000 },
    { about: 'Uploads of a key, a token or an address.' },
  ),
  rateLimitSessions: integer(
    'RATE_LIMIT_SESSIONS',
    100,
    { min: 1, max: 1_000_000_000 },
    { about: 'Sessions that an address creates without a credential.' },
  ),
  rateLimitCredentials: integer(
    'RATE_LIMIT_CREDENTIALS',
    20,
    { min: 1, max: 1_000_000_000 },
    { about: 'Wrong credentials from an address.' },
  ),
} as const;
