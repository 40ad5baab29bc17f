import { describeDatabaseBudget } from '../support/suites/database-budget.js';

// A turn may fall together with a batch of agent logs, which has a commit of its own.
// Commits, round trips, queries, writing statements, rows, characters of the statements.
describeDatabaseBudget('postgres', {
  'list agents': [0, 0, 0, 0, 0, 0],
  'list channels': [0, 1, 1, 0, 0, 0],
  'create channel': [1, 2, 2, 3, 3, 1360],
  'change channel': [1, 4, 4, 2, 2, 980],
  submit: [1, 2, 2, 2, 2, 1580],
  'create session': [1, 2, 2, 6, 6, 3280],
  'turn over http': [3, 17, 15, 16, 26, 16600],
  'read history': [0, 2, 2, 0, 0, 0],
});
