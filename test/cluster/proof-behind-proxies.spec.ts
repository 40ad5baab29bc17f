// The checker for a moment, with its users and readers behind nginx and Caddy as deploy/ configures them.
import { describe } from '@jest/globals';
import { describeChecker } from '../proof/support/checker.js';

const FAULTS = ['kill', 'pause', 'restart', 'cut'];

describe('a server behind nginx', () => {
  describeChecker({ engine: 'sqlite', servers: 1, seconds: 4, behind: 'nginx', faults: FAULTS });
});
describe('a fleet behind nginx', () => {
  describeChecker({ engine: 'postgres', servers: 3, seconds: 4, behind: 'nginx', faults: FAULTS });
});
describe('a server behind Caddy', () => {
  describeChecker({ engine: 'sqlite', servers: 1, seconds: 4, behind: 'caddy', faults: FAULTS });
});
