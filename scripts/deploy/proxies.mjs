// The reverse proxies of deploy/, as they are started for a test or checked without being started.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { createServer } from 'node:net';

const DEPLOY = join(import.meta.dirname, '..', '..', 'deploy');

/** The limits of each server, as in deploy/compose/fleet.yaml. */
export const NGINX_SERVER_LIMITS = 'max_fails=3 fail_timeout=2s';

/**
 * Fills in deploy/nginx/parley.conf.template as nginx's image does, below a main configuration of its own.
 *
 * @param folder    where the files are written
 * @param variables PARLEY_LISTEN, PARLEY_NAME, PARLEY_SERVERS
 * @param options   `template`: another text of the template; `extra`: more directives for the block `http`
 * @returns the command and its arguments; add `-t` to check only
 */
export function nginxCommand(
  folder,
  variables,
  { template = readFileSync(join(DEPLOY, 'nginx', 'parley.conf.template'), 'utf8'), extra = '' } = {},
) {
  const filled = template.replaceAll(/\$\{(\w+)\}/g, (whole, name) => variables[name] ?? whole);
  writeFileSync(join(folder, 'parley.conf'), filled);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${join(folder, name)};`);
  const main = [
    // Its workers otherwise are a user who cannot read a private folder.
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    `daemon off;`,
    `pid ${join(folder, 'nginx.pid')};`,
    'error_log stderr notice;',
    'worker_processes 2;',
    'events { worker_connections 1024; }',
    `http { access_log off; ${temporary.join(' ')} ${extra} include ${join(folder, 'parley.conf')}; }`,
  ];
  const path = join(folder, 'nginx.conf');
  writeFileSync(path, `${main.join('\n')}\n`);
  return ['/usr/sbin/nginx', ['-e', 'stderr', '-p', folder, '-c', path]];
}

/**
 * Caddy with deploy/caddy/Caddyfile, which reads its variables from the environment.
 *
 * @returns the command, its arguments, and what its environment needs
 */
export function caddyCommand(folder, variables) {
  const home = join(folder, 'caddy');
  mkdirSync(home, { recursive: true });
  chmodSync(home, 0o700);
  const environment = { ...variables, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home };
  return ['/usr/bin/caddy', ['run', '--adapter', 'caddyfile', '--config', join(DEPLOY, 'caddy', 'Caddyfile')], environment];
}

/** A port of loopback that was free a moment ago. */
export async function freePort() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
