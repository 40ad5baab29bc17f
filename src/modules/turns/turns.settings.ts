import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { choice, flag, integer, type SettingValues } from '../../core/config/index.js';
import { turnsIn } from './turn-capacity.js';

const MEMORY = {
  // Where nothing constrains the process, it is 0, or more than the machine has.
  total: Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem()),
  heap: getHeapStatistics().heap_size_limit,
};

export const TURNS_SETTINGS = {
  turnConcurrency: integer(
    'TURN_CONCURRENCY',
    turnsIn(MEMORY),
    { min: 1, max: 10_000 },
    {
      shownDefault: 'by memory, 64 to 5000',
      about:
        'Maximum number of turns that one process runs concurrently. Turns of one channel never overlap. By default it is what a quarter of the memory of the machine or container holds, at 256 kB for each turn.',
    },
  ),
  turnTimeoutMs: integer(
    'TURN_TIMEOUT_MS',
    120_000,
    { min: 1000, max: 3_600_000 },
    { about: 'Time limit of one attempt at a turn without progress, ms: without an event of the model or the end of an action.' },
  ),
  turnMaxAttempts: integer(
    'TURN_MAX_ATTEMPTS',
    5,
    { min: 1, max: 100 },
    { about: 'Attempts after crashes before a turn is recorded as failed.' },
  ),
  toolResultMinutes: integer(
    'TOOL_RESULT_MINUTES',
    60,
    { min: 1, max: 10_080 },
    { about: 'How long a reply waits for the results of tools that the caller of a protocol runs, minutes.' },
  ),
  conversationLength: integer(
    'CONVERSATION_LENGTH',
    32,
    { min: 2, max: 500 },
    { editable: true, about: 'Maximum number of recent messages of a conversation that the model receives.' },
  ),
  conversationTokens: integer(
    'CONVERSATION_TOKENS',
    6000,
    { min: 200, max: 1_000_000 },
    {
      editable: true,
      about: 'Budget for the recent messages of a conversation in a prompt, tokens. The message to reply to is not part of it.',
    },
  ),
  conversationSummary: choice('CONVERSATION_SUMMARY', 'auto', ['auto', 'none'], {
    editable: true,
    about: 'Whether the model of an agent summarises what no longer fits in a prompt. The offline responder never does.',
  }),
  recallTimeoutMs: integer(
    'RECALL_TIMEOUT_MS',
    2000,
    { min: 10, max: 60_000 },
    { about: 'Time limit of recall before a reply, ms. Memories without a vector by then are searched by words.' },
  ),
  recallTokens: integer(
    'RECALL_TOKENS',
    undefined,
    { min: 0, max: 100_000 },
    {
      editable: true,
      shownDefault: '800, and 2,000 when only words are searched',
      about:
        'Budget for what an agent remembers in a prompt: facts about the user and recalled memories, with their headings, tokens. 0 turns recall off.',
    },
  ),
  documentTokens: integer(
    'DOCUMENT_TOKENS',
    2000,
    { min: 0, max: 100_000 },
    { editable: true, about: 'Budget for pieces of documents in a prompt, tokens. 0 leaves documents out.' },
  ),
  attachmentTokens: integer(
    'ATTACHMENT_TOKENS',
    8000,
    { min: 0, max: 1_000_000 },
    {
      editable: true,
      about: 'Budget for the texts of attached files in a prompt, tokens. 0 leaves them out; files are named all the same.',
    },
  ),
  runPrompts: flag('RUN_PROMPTS', false, {
    about:
      'Whether each run keeps the prompts that were sent to the model, without secrets and files, for GET /api/agents/{agentId}/runs/{runId}.',
  }),
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
