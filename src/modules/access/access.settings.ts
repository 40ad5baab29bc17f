import { choice, flag, integer, secret, secretList, type SettingValues } from '../../core/config/index.js';

export const ACCESS_SETTINGS = {
  userTokenSecret: secret('USER_TOKEN_SECRET', {
    about: "Secret with which your app's backend signs user tokens (JWT, HS256), at least 32 characters. Unset: user tokens are disabled.",
    shortest: 32,
  }),
  userTokenSecretPrevious: secretList('USER_TOKEN_SECRET_PREVIOUS', {
    about: 'Previous values of USER_TOKEN_SECRET, comma-separated. Tokens signed with them stay valid until they expire.',
    shortest: 32,
  }),
  sessionsRequireAuth: flag('SESSIONS_REQUIRE_AUTH', false, {
    about: 'Whether creating a session requires a credential.',
  }),
  queryTokens: flag('QUERY_TOKENS', false, {
    about:
      'Whether GET requests may carry a session token in the query parameter access_token, for EventSource. URLs often end up in logs.',
  }),
  rateLimit: choice('RATE_LIMIT', 'auto', ['auto', 'on', 'off'], {
    about: 'Whether rate limits apply; auto applies them when an API_KEY is set. The administrator is exempt.',
  }),
  rateLimitWindowSeconds: integer(
    'RATE_LIMIT_WINDOW_SECONDS',
    900,
    { min: 1, max: 86_400 },
    { about: 'Time window of the limits below, seconds.' },
  ),
  rateLimitRequests: integer(
    'RATE_LIMIT_REQUESTS',
    1000,
    { min: 1, max: 1_000_000_000 },
    { about: 'Requests and socket events per key, user, session token or address.' },
  ),
  rateLimitUploads: integer(
    'RATE_LIMIT_UPLOADS',
    50,
    { min: 1, max: 1_000_000_000 },
    { about: 'Uploads per key, user, session token or address.' },
  ),
  rateLimitSessions: integer(
    'RATE_LIMIT_SESSIONS',
    100,
    { min: 1, max: 1_000_000_000 },
    { about: 'Sessions per address that are created without a credential.' },
  ),
  rateLimitPlugins: integer(
    'RATE_LIMIT_PLUGINS',
    3000,
    { min: 1, max: 1_000_000_000 },
    { about: 'Requests per address to plugin routes that require no credential; files of plugins are exempt.' },
  ),
  rateLimitCredentials: integer('RATE_LIMIT_CREDENTIALS', 20, { min: 1, max: 1_000_000_000 }, { about: 'Wrong credentials per address.' }),
} as const;

type AccessConfig = SettingValues<typeof ACCESS_SETTINGS>;

declare module '../../core/config/config.js' {
  interface Config extends AccessConfig {}
}
