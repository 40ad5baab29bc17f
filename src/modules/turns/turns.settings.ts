import { integer, type SettingValues } from '../../core/config/index.js';

export const TURNS_SETTINGS = {
  turnConcurrency: integer(
    'TURN_CONCURRENCY',
    32,
    { min: 1, max: 1000 },
    { about: 'Maximum number of turns that one process runs concurrently. Turns of one channel never overlap.' },
  ),
  turnTimeoutMs: integer('TURN_TIMEOUT_MS', 120_000, { min: 1000, max: 3_600_000 }, { about: 'Time limit of one attempt at a turn, ms.' }),
  turnMaxAttempts: integer(
    'TURN_MAX_ATTEMPTS',
    5,
    { min: 1, max: 100 },
    { about: 'Attempts after crashes before a turn is recorded as failed.' },
  ),
  conversationLength: integer(
    'CONVERSATION_LENGTH',
    32,
    { min: 2, max: 500 },
    { editable: true, about: 'Number of recent messages of a conversation that the model receives.' },
  ),
  recallTimeoutMs: integer(
    'RECALL_TIMEOUT_MS',
    1000,
    { min: 10, max: 60_000 },
    { about: 'Time limit of recall before an answer, ms. Memories without a vector by then are searched by words.' },
  ),
  jobRetentionHours: integer(
    'JOB_RETENTION_HOURS',
    24,
    { min: 1, max: 8760 },
    { about: 'Retention of jobs after their time limit, hours. At most 10,000 jobs are kept.' },
  ),
} as const;

type TurnConfig = SettingValues<typeof TURNS_SETTINGS>;

declare module '../../core/config/config.js' {
  interface Config extends TurnConfig {}
}
