import { choices, type SettingValues } from '../../core/config/index.js';
import { PROTOCOLS } from './protocol.js';

export const PROTOCOLS_SETTINGS = {
  protocols: choices('PROTOCOLS', PROTOCOLS, {
    about: 'Protocols of others in which clients may talk to the agents, comma-separated. The paths of all others are 404.',
  }),
} as const;

type ProtocolsConfig = SettingValues<typeof PROTOCOLS_SETTINGS>;

declare module '../../core/config/config.js' {
  interface Config extends ProtocolsConfig {}
}
