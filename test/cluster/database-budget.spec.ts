import { describeDatabaseBudget } from '../support/suites/database-budget.js';

// A turn may fall together with a batch of agent logs, which has a commit of its own.
// Commits, round trips, queries, writing statements, rows (not counted on PostgreSQL), characters of the statements.
describeDatabaseBudget('postgres', {
  'list agents': [0, 0, 0, 0, 0, 0],
  'list channels': [0, 1, 1, 0, 0, 0],
  'create channel': [1, 4, 4, 3, 0, 2400],
  'change channel': [1, 5, 6, 2, 0, 1990],
  submit: [1, 2, 1, 1, 0, 2650],
  'create session': [1, 3, 3, 4, 0, 4100],
  'turn over http': [2, 8, 6, 2, 0, 14720],
  'read history': [0, 2, 2, 0, 0, 0],
});
