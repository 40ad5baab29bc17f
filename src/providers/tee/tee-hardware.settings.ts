import { text, type SettingValues } from '../../core/config/index.js';

export const TEE_HARDWARE_SETTINGS = {
  teeRoot: text('TEE_ROOT', '/', { about: 'Folder that contains /dev and /sys of the machine, for trusted hardware.' }),
} as const;

type TeeHardwareConfig = SettingValues<typeof TEE_HARDWARE_SETTINGS>;

declare module '../../core/config/config.js' {
  interface Config extends TeeHardwareConfig {}
}
