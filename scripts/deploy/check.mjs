// Checks the deployment files: each against its own format, and all against the server's settings.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { composeFaults } from './check-compose.mjs';
import { dockerfileFaults } from './check-dockerfile.mjs';
import { kubernetesFaults } from './check-kubernetes.mjs';
import { proxyFaults } from './check-proxies.mjs';
import { systemdFaults } from './check-systemd.mjs';

/** What programs beside the server read. */
const FOREIGN = new Set(['NODE_ENV', 'PARLEY_LISTEN', 'PARLEY_NAME', 'PARLEY_SERVERS', 'PARLEY_SITE']);
/** What only the compose files read, from .env. */
const OF_COMPOSE = ['PARLEY_EXTRAS', 'PARLEY_NAME', 'PARLEY_PORT', 'PARLEY_VERSION', 'POSTGRES_PASSWORD', 'TLS_DIR'];
/** The checks by what they are about. */
const CHECKS = {
  dockerfile: dockerfileFaults,
  compose: composeFaults,
  kubernetes: kubernetesFaults,
  systemd: systemdFaults,
  proxies: proxyFaults,
};
/** After the time for a stop that the server gives itself, s. */
const STOP_RESERVE_S = 5;

/**
 * @param root  the repository
 * @param kinds which of CHECKS; all by default
 * @returns the faults, each with its file, and notes on what this machine cannot check
 */
export async function checkDeployment(root, kinds = Object.keys(CHECKS)) {
  const read = (path) => readFileSync(join(root, path), 'utf8');
  const settings = settingsOf(read('.env.example'));
  const context = {
    root,
    read,
    files: filesBelow(root, 'deploy'),
    version: JSON.parse(read('package.json')).version,
    defaults: settings,
    /** Complains of names that no program of these files reads. */
    unknownNames: (names, also = []) => names.filter((name) => !settings.has(name) && !FOREIGN.has(name) && !also.includes(name)),
    ofCompose: OF_COMPOSE,
    /** How long a stop may take with these settings, s. */
    stopSeconds: (values) =>
      (Number(values.DRAIN_MS ?? settings.get('DRAIN_MS')) + Number(values.SHUTDOWN_GRACE_MS ?? settings.get('SHUTDOWN_GRACE_MS'))) / 1000 +
      STOP_RESERVE_S,
  };
  const faults = [];
  const notes = [];
  for (const kind of kinds) {
    const found = await CHECKS[kind](context);
    faults.push(...found.faults);
    notes.push(...(found.notes ?? []));
  }
  return { faults, notes };
}

/** Names and defaults in .env.example, which a test compares with the code. */
function settingsOf(text) {
  return new Map([...text.matchAll(/^# ([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name, value]) => [name, value]));
}

function filesBelow(root, folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => statSync(join(root, path)).isFile())
    .map((path) => relative(root, join(root, path)))
    .sort();
}
