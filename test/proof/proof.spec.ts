// docs/reference/reliability.md
//   PROOF_SECONDS=300 PROOF_SEED=7 PROOF_FAULTS=kill,disk npm run test:proof
//   PROOF_SERVERS=3 npm run test:proof
//   PROOF_SERVERS=3 PROOF_NATS=true npm run test:proof
//   PROOF_BEHIND=nginx npm run test:proof
import { describe } from '@jest/globals';
import { PROXIES, type ProxyName } from '../support/reverse-proxy.js';
import { describeChecker } from './support/checker.js';

const servers = Number(process.env['PROOF_SERVERS'] ?? (process.env['PROOF_DATABASE'] === 'postgres' ? '2' : '1'));

describe('against a nemesis', () => {
  describeChecker({
    // Several servers share a database, which SQLite does not offer.
    engine: servers > 1 || process.env['PROOF_DATABASE'] === 'postgres' ? 'postgres' : 'sqlite',
    servers,
    seconds: Number(process.env['PROOF_SECONDS'] ?? '10'),
    behind: behind(),
    nats: process.env['PROOF_NATS'] === 'true',
    faults: process.env['PROOF_FAULTS']?.split(','),
  });
});

/** @throws Error for an unknown proxy, because the run would otherwise silently skip it */
function behind(): ProxyName | undefined {
  const wanted = process.env['PROOF_BEHIND'];
  const found = PROXIES.find((name) => name === wanted);
  if (found === undefined && wanted !== undefined) throw new Error(`PROOF_BEHIND must be ${PROXIES.join(' or ')}, not "${wanted}"`);
  return found;
}
