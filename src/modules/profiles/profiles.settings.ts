import { choice, integer, type SettingValues } from '../../core/config/index.js';

export const PROFILES_SETTINGS = {
  memoryExtraction: choice('MEMORY_EXTRACTION', 'auto', ['auto', 'none'], {
    editable: true,
    about:
      'Whether agents with a language model extract facts about users from what these tell them, with a further model call for about six ' +
      'turns. An agent can turn it off with its setting of the same name.',
  }),
  profileTokens: integer(
    'PROFILE_TOKENS',
    1500,
    { min: 0, max: 100_000 },
    { editable: true, about: 'Budget for the extracted facts about a user in a prompt, tokens. 0 leaves them out.' },
  ),
} as const;

type ProfilesConfig = SettingValues<typeof PROFILES_SETTINGS>;

declare module '../../core/config/config.js' {
  interface Config extends ProfilesConfig {}
}
