import { shippedFolder, type SettingValues } from '../../core/config/index.js';

export const AGENTS_SETTINGS = {
  charactersDir: shippedFolder('CHARACTERS_DIR', 'characters', {
    about: 'Folder of character files. The server creates an agent from each file at start.',
  }),
} as const;

type AgentConfig = SettingValues<typeof AGENTS_SETTINGS>;

declare module '../../core/config/config.js' {
  interface Config extends AgentConfig {}
}
