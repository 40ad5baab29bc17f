import { FirstSchema1763000000000 } from './1763000000000-first-schema.js';
import { AgentsAndRooms1764000000000 } from './1764000000000-agents-and-rooms.js';
import { ApiKeys1764250000000 } from './1764250000000-api-keys.js';
import { InstallationKey1764500100000 } from './1764500100000-installation-key.js';
import { Vouching1764640000000 } from './1764640000000-vouching.js';

/** The migrations that change tables of several modules. */
export const SHARED_MIGRATIONS = [
  FirstSchema1763000000000,
  AgentsAndRooms1764000000000,
  ApiKeys1764250000000,
  InstallationKey1764500100000,
  Vouching1764640000000,
];

/**
 * Timestamp of the newest migration of the former version. Each release moves it, together with `FORMER_COMMIT` of
 * `test/cluster/support/former-version.ts`.
 */
export const FORMER_NEWEST = 1_765_500_000_000;
