// `npm run deploy:check` finds nothing in the deployment files, and finds each fault that is put into a copy of them.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');
const COPIED = [
  'Dockerfile',
  '.dockerignore',
  'compose.yaml',
  '.env.example',
  'deploy',
  'scripts',
  'package.json',
  'package-lock.json',
  '.npmrc',
];
const LINKED = ['node_modules', 'src', 'docs', 'characters', 'plugins', 'LICENSE', 'README.md'];

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

const FLEET = 'deploy/compose/fleet.yaml';
const POD = 'deploy/kubernetes/deployment.yaml';
const UNIT = 'deploy/systemd/parley.service';
const NGINX = 'deploy/nginx/parley.conf.template';

/** File, what is replaced in it, by what, and what is said of it. */
type Fault = readonly [file: string, what: string, by: string, complaint: RegExp];

/** Faults by the check that finds them, those of one round at a time. */
const FAULTS: Record<string, readonly (readonly Fault[])[]> = {
  dockerfile: [
    [['Dockerfile', 'WORKDIR /app', 'WORKDIRR /app', /Dockerfile:\d+: .*WORKDIRR/]],
    [['Dockerfile', '--interval=10s', '--interval=10', /Dockerfile:\d+: .*duration/i]],
    [
      ['Dockerfile', 'DATA_DIR=/data', 'DATADIR=/data', /DATADIR is no setting/],
      ['Dockerfile', 'USER 1000:1000', 'USER node', /USER must be a number/],
      ['Dockerfile', 'CMD ["node", "dist/main.js"]', 'CMD node dist/main.js', /CMD must be a list/],
      ['Dockerfile', '/app/LICENSE', '/app/LICENCE', /LICENCE does not exist/],
      ['Dockerfile', '--from=packages', '--from=package', /no stage package/],
      ['Dockerfile', 'node:24.21.0-bookworm-slim', 'node:latest', /no exact version/],
      ['Dockerfile', `VERSION=${version}`, 'VERSION=0.0.1', /VERSION is not/],
      ['.dockerignore', '!characters', '', /leaves out characters/],
    ],
  ],
  compose: [
    [
      ['compose.yaml', 'restart: unless-stopped', 'restrat: unless-stopped', /compose.yaml: \/services\/parley .*restrat/],
      ['compose.yaml', 'SERVER_PORT:', 'SERVERPORT:', /SERVERPORT is no setting/],
      ['compose.yaml', `{PARLEY_VERSION:-${version}}`, `{PARLEY_VERSOIN:-${version}}`, /PARLEY_VERSOIN is neither/],
      ['compose.yaml', '{PARLEY_EXTRAS:-}', '{PARLEY_EXTRAS}', /needs a default/],
      ['compose.yaml', 'stop_grace_period: 20s', 'stop_grace_period: 10s', /at least 15s/],
      ['compose.yaml', 'read_only: true', 'read_only: false', /must be read_only/],
      [FLEET, `{PARLEY_VERSION:-${version}}`, '{PARLEY_VERSION:-0.0.1}', /version of the image/],
      [FLEET, 'condition: service_healthy', 'condition: service_helthy', /fleet.yaml: \/services/],
      [FLEET, 'parley-2: { condition', 'parley-4: { condition', /depends on parley-4/],
      [FLEET, '- data-2:/data', '- data-4:/data', /volume data-4/],
      [FLEET, '../nginx/parley.conf.template', '../nginx/parly.conf.template', /mounts .*parly/],
      [FLEET, 'postgres:17.6-bookworm', 'postgres', /no exact version/],
      ['deploy/compose/fleet.env.example', 'SECRET_KEY=', 'SECRETKEY=', /fleet.env.example: SECRETKEY/],
    ],
    [['compose.yaml', 'services:', 'services: [', /compose.yaml: /]],
  ],
  kubernetes: [
    [
      [POD, 'automountServiceAccountToken', 'automountServiceAcountToken', /deployment.yaml: .*automountServiceAcountToken/],
      [POD, 'path: /readyz', 'path: /livez', /readinessProbe must ask \/readyz/],
      [POD, 'terminationGracePeriodSeconds: 35', 'terminationGracePeriodSeconds: 20', /terminationGracePeriodSeconds must be at least/],
      [POD, 'runAsNonRoot: true', 'runAsNonRoot: false', /other than root/],
      [POD, 'claimName: parley-media', 'claimName: parley-medai', /no claim parley-medai/],
      ['deploy/kubernetes/service.yaml', 'app.kubernetes.io/name: parley', 'app.kubernetes.io/name: parly', /no pod has the labels/],
      ['deploy/kubernetes/autoscaler.yaml', 'kind: Deployment', 'kind: StatefulSet', /no StatefulSet parley/],
      ['deploy/kubernetes/configmap.yaml', 'DRAIN_MS:', 'DRAIN_MSEC:', /DRAIN_MSEC is no setting/],
      ['deploy/kubernetes/kustomization.yaml', `newTag: ${version}`, 'newTag: 0.0.1', /version of the image/],
      ['deploy/kubernetes/kustomization.yaml', '  - media.yaml\n', '', /media.yaml: is not listed/],
    ],
    [
      [POD, 'containerPort: 3000', "containerPort: '3000'", /containerPort must be integer/],
      ['deploy/kubernetes/service.yaml', 'kind: Service', 'kind: Servce', /has no Servce/],
    ],
  ],
  systemd: [
    [
      [UNIT, 'Environment=DATA_DIR', 'Environment=DATADIR', /DATADIR is no setting/],
      [UNIT, 'TimeoutStopSec=30s', 'TimeoutStopSec=10s', /TimeoutStopSec must be/],
    ],
  ],
  proxies: [
    [
      ['deploy/kubernetes/ingress.yaml', 'proxy-body-size: 64m', 'proxy-body-size: 1m', /ingress.yaml: takes bodies/],
      [NGINX, 'client_max_body_size 64m', 'client_max_body_size 10m', /parley.conf.template: takes bodies/],
      [NGINX, 'keepalive_timeout 55s', 'keepalive_timeout 75s', /longer than the server/],
    ],
  ],
};

/** Faults that programs find, where they are installed; otherwise a note names the program. */
const FOUND_BY_PROGRAMS: readonly (readonly [program: RegExp, kind: string, ...Fault])[] = [
  [/systemd-analyze/, 'systemd', UNIT, 'Restart=on-failure', 'Restart=on-falure', /parley.service.*on-falure/],
  [/systemd-analyze/, 'systemd', UNIT, 'ProtectSystem=strict', 'ProtectSystm=strict', /ProtectSystm/],
  [/systemd-analyze/, 'systemd', UNIT, 'SystemCallFilter=@system-service\n', 'User=root\nDynamicUser=no\n', /the exposure is/],
  [/nginx is not/, 'proxies', NGINX, 'least_conn;', 'least_con;', /unknown directive "least_con"/],
  [/nginx|openssl/, 'proxies', 'deploy/nginx/tls.conf', 'ssl_session_timeout', 'ssl_sesion_timeout', /directive "ssl_sesion_timeout"/],
  [/Caddy/, 'proxies', 'deploy/caddy/Caddyfile', 'lb_policy ip_hash', 'lb_policy ip_hsh', /Caddyfile: .*ip_hsh/],
];

let copy: string;
let checkDeployment: (root: string, kinds?: string[]) => Promise<{ faults: string[]; notes: string[] }>;

beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), 'parley-deploy-'));
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  for (const name of LINKED) symlinkSync(join(ROOT, name), join(copy, name));
  ({ checkDeployment } = await import(pathToFileURL(join(ROOT, 'scripts/deploy/check.mjs')).href));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

it('finds no error in the deployment files', async () => {
  expect((await checkDeployment(ROOT)).faults).toEqual([]);
});

it.each(Object.entries(FAULTS))('finds planted errors: %s', async (kind, rounds) => {
  for (const planted of rounds) await expectFound(kind, planted);
});

it('finds the same errors as the programs themselves', async () => {
  const { notes } = await checkDeployment(copy, ['systemd', 'proxies']);
  for (const [program, kind, ...fault] of FOUND_BY_PROGRAMS) {
    if (!notes.some((note) => program.test(note))) await expectFound(kind, [fault]);
  }
});

/** Puts faults into the copy, looks whether each is complained of, and takes them out again. */
async function expectFound(kind: string, planted: readonly Fault[]): Promise<void> {
  const originals = new Map(planted.map(([file]) => [file, readFileSync(join(copy, file), 'utf8')]));
  for (const [file, what, by] of planted) {
    const before = readFileSync(join(copy, file), 'utf8');
    const after = before.replace(what, () => by);
    if (after === before) throw new Error(`${file} does not have "${what}"`);
    writeFileSync(join(copy, file), after);
  }
  const { faults } = await checkDeployment(copy, [kind]);
  for (const [file, text] of originals) writeFileSync(join(copy, file), text);
  expect(faults).toEqual(expect.arrayContaining(planted.map(([, , , complaint]) => expect.stringMatching(complaint))));
}
