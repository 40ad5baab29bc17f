import { networks, type SettingValues } from '../../core/config/index.js';

export const OUTBOUND_SETTINGS = {
  outboundAllowedNetworks: networks('OUTBOUND_ALLOWED_NETWORKS', {
    about:
      'Private networks that agents and requests may address: addresses, networks or loopback, comma-separated. The services in this configuration need none, and are reached by their providers only.',
  }),
} as const;

type OutboundConfig = SettingValues<typeof OUTBOUND_SETTINGS>;

declare module '../../core/config/config.js' {
  interface Config extends OutboundConfig {}
}
