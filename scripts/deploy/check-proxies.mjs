import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { caddyCommand, NGINX_SERVER_LIMITS, nginxCommand } from './proxies.mjs';

const NGINX = 'deploy/nginx/parley.conf.template';
const TLS = 'deploy/nginx/tls.conf';
const CADDY = 'deploy/caddy/Caddyfile';
const UNITS = { k: 1024, m: 1024 ** 2, KiB: 1024, MiB: 1024 ** 2 };

/** The reverse proxies: what they say of their configuration themselves, and sizes and times that depend on the server. */
export function proxyFaults({ root, read, defaults }) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-proxies-'));
  try {
    const nginx = nginxFaults(folder, read);
    const caddy = caddyFaults(folder, root);
    return { faults: [...nginx.faults, ...caddy.faults, ...limitErrors(read, defaults)], notes: [...nginx.notes, ...caddy.notes] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function nginxFaults(folder, read) {
  const servers = [1, 2, 3].map((port) => `server 127.0.0.1:${port} ${NGINX_SERVER_LIMITS};`).join(' ');
  const plain = { PARLEY_LISTEN: '80', PARLEY_NAME: '_', PARLEY_SERVERS: servers };
  const faults = [];
  const template = read(NGINX);
  const [command, args] = nginxCommand(folder, plain, { template });
  const found = run(command, [...args, '-t']);
  if (found.missing) return { faults, notes: [`${NGINX}: nginx is not installed, so it has not read it`] };
  if (found.status !== 0) faults.push(`${NGINX}: ${found.text}`);
  const key = join(folder, 'key.pem');
  const certificate = join(folder, 'certificate.pem');
  const made = run('openssl', [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-subj',
    '/CN=x',
    '-keyout',
    key,
    '-out',
    certificate,
  ]);
  if (made.status !== 0) return { faults, notes: [`${TLS}: openssl is not installed, so nginx has not read it`] };
  const tls = join(folder, 'tls.conf');
  writeFileSync(
    tls,
    read(TLS)
      .replace(/\/\S*fullchain\.pem/, certificate)
      .replace(/\/\S*privkey\.pem/, key),
  );
  const variables = { ...plain, PARLEY_LISTEN: '443 ssl http2' };
  const [, withTls] = nginxCommand(folder, variables, { template, extra: `include ${tls};` });
  const secure = run(command, [...withTls, '-t']);
  if (secure.status !== 0) faults.push(`${TLS}: ${secure.text}`);
  return { faults, notes: [] };
}

function caddyFaults(folder, root) {
  const variables = { PARLEY_SITE: 'agents.example.com', PARLEY_SERVERS: '127.0.0.1:3000 127.0.0.1:3001' };
  const [command, , environment] = caddyCommand(folder, variables);
  const file = join(root, CADDY);
  const found = run(command, ['validate', '--adapter', 'caddyfile', '--config', file], { ...process.env, ...environment });
  if (found.missing) return { faults: [], notes: [`${CADDY}: Caddy is not installed, so it has not read it`] };
  return { faults: found.status === 0 ? [] : [`${CADDY}: ${found.text}`], notes: [] };
}

/** What a proxy takes must be more than what the server takes, and a proxy must let go of a connection before the server does. */
function limitErrors(read, defaults) {
  const needed = Math.max(Number(defaults.get('UPLOAD_LIMIT_BYTES')), Number(defaults.get('AUDIO_MAX_BYTES')));
  const keptMs = Number(defaults.get('KEEP_ALIVE_TIMEOUT_MS'));
  const sizes = [
    [NGINX, /client_max_body_size (\d+)(k|m);/],
    ['deploy/kubernetes/ingress.yaml', /proxy-body-size: (\d+)(k|m)$/m],
    [CADDY, /max_size (\d+)(KiB|MiB)/],
  ];
  const times = [
    [NGINX, /keepalive_timeout (\d+)s;/],
    [CADDY, /keepalive (\d+)s/],
  ];
  const found = ([path, pattern]) => pattern.exec(read(path)) ?? [];
  return [
    ...sizes
      .filter((each) => !(Number(found(each)[1]) * UNITS[found(each)[2]] > needed))
      .map(([path]) => `${path}: takes bodies of ${needed} bytes or less only`),
    ...times
      .filter((each) => !(Number(found(each)[1]) * 1000 < keptMs))
      .map(([path]) => `${path}: keeps connections longer than the server does`),
  ];
}

function run(command, args, env = process.env) {
  const missing = command.startsWith('/') && !existsSync(command);
  const { status, stderr = '', error } = missing ? {} : spawnSync(command, args, { encoding: 'utf8', env });
  return {
    missing,
    status: error ? undefined : status,
    text: stderr
      .trim()
      .split('\n')
      .filter((line) => /emerg|rror/.test(line))
      .join('; '),
  };
}
