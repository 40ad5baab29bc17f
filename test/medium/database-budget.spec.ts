import { describeDatabaseBudget } from '../support/suites/database-budget.js';

// A turn may fall together with a batch of agent logs, which has a commit of its own.
// Commits, trips to the thread of SQLite, queries, writing statements, rows (with those of triggers), characters of the statements.
describeDatabaseBudget('sqlite', {
  'list agents': [0, 0, 0, 0, 0, 0],
  'list channels': [0, 0, 0, 0, 0, 0],
  'create channel': [1, 1, 0, 3, 3, 1320],
  'change channel': [1, 4, 2, 2, 2, 950],
  submit: [1, 1, 0, 2, 8, 1540],
  'create session': [1, 1, 0, 6, 6, 3180],
  'turn over http': [3, 13, 11, 19, 80, 12600],
  'read history': [0, 2, 2, 0, 0, 0],
});
