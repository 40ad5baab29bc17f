import { list, type SettingValues } from '../../core/config/index.js';

export const SYSTEM_SETTINGS = {
  envEditable: list('ENV_EDITABLE', {
    about:
      'Further variables of ENV_FILE that an administrator may change with POST /api/system/env/local, comma-separated. Variables that load code, set data paths or control access are rejected.',
  }),
} as const;

type SystemConfig = SettingValues<typeof SYSTEM_SETTINGS>;

declare module '../../core/config/config.js' {
  interface Config extends SystemConfig {}
}
