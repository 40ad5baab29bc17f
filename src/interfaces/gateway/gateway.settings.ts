import { integer, type SettingValues } from '../../core/config/index.js';

export const GATEWAY_SETTINGS = {
  socketBacklogBytes: integer(
    'SOCKET_BACKLOG_BYTES',
    16 * 1024 * 1024,
    { min: 65_536, max: 1024 * 1024 * 1024 },
    { about: 'Maximum unread data of a socket, bytes; beyond it the socket is closed with code 4008.' },
  ),
} as const;

type GatewayConfig = SettingValues<typeof GATEWAY_SETTINGS>;

declare module '../../core/config/config.js' {
  interface Config extends GatewayConfig {}
}
