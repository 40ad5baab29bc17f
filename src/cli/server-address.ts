import type { Config } from '../core/config/index.js';

/**
 * Address of the running server, without a slash at the end.
 *
 * @throws Error when SERVER_PORT is 0 and SERVER_URL is not set
 */
export function serverAddress(config: Config): string {
  return config.publicUrl === undefined ? localAddress(config) : config.publicUrl.replace(/\/+$/, '');
}

/** Address on which the server listens, for programs on the same machine. @throws Error when SERVER_PORT is 0 */
export function localAddress({ host, port }: Pick<Config, 'host' | 'port'>): string {
  if (port === 0) throw new Error('SERVER_PORT is 0, so the port is not known here. Set SERVER_URL to where the server listens.');
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
