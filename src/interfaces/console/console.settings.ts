import { choice, type SettingValues } from '../../core/config/index.js';

export const CONSOLE_SETTINGS = {
  console: choice('CONSOLE', 'on', ['on', 'off'], { about: 'Whether browsers find the console at /.' }),
} as const;

type ConsoleConfig = SettingValues<typeof CONSOLE_SETTINGS>;

declare module '../../core/config/config.js' {
  interface Config extends ConsoleConfig {}
}
