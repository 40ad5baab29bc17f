// docs/reference/reliability.md
//   PROOF_SECONDS=300 PROOF_SEED=7 PROOF_FAULTS=kill,disk npm run proof
//   PROOF_SERVERS=3 npm run proof
//   PROOF_BEHIND=nginx npm run proof
import { describe } from '@jest/globals';
import { PROXIES } from '../support/reverse-proxy.js';
import { describeChecker } from './support/checker.js';

const servers = Number(process.env['PROOF_SERVERS'] ?? (process.env['PROOF_DATABASE'] === 'postgres' ? '2' : '1'));

describe('against a nemesis', () => {
  describeChecker({
    // Several servers share a database, which SQLite does not offer.
    engine: servers > 1 || process.env['PROOF_DATABASE'] === 'postgres' ? 'postgres' : 'sqlite',
    servers,
    seconds: Number(process.env['PROOF_SECONDS'] ?? '10'),
    behind: PROXIES.find((name) => name === process.env['PROOF_BEHIND']),
    faults: process.env['PROOF_FAULTS']?.split(','),
  });
});
