// The checker for a moment against a fleet: three servers on a PostgreSQL of their own.
import { describe } from '@jest/globals';
import { describeChecker } from '../proof/support/checker.js';

const FAULTS_OF_FLEETS = ['kill', 'pause', 'restart', 'crash', 'notifier'];

describe('a fleet against a nemesis', () => {
  describeChecker({ engine: 'postgres', servers: 3, seconds: 8, faults: FAULTS_OF_FLEETS });
});
