import type { ListPosition } from '../../../core/http/index.js';

export const RUN_STATUSES = ['started', 'completed', 'timeout', 'error'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Filter of the runs of all agents. Instants are epoch ms, inclusive. */
export interface AllRunsQuery {
  /** Absent: all agents. */
  readonly agentIds?: readonly string[];
  readonly channelId?: string;
  readonly status?: RunStatus;
  readonly limit: number;
  readonly from?: number;
  readonly to?: number;
  readonly minDurationMs?: number;
  /** Position after which the page starts: the creation and the id of a run. */
  readonly before?: Required<ListPosition>;
}

export interface RunQuery {
  /** An agent's room, or a channel. */
  readonly roomId?: string;
  readonly status?: RunStatus;
  readonly limit: number;
  /** Epoch ms, inclusive. */
  readonly from?: number;
  readonly to?: number;
  /** Position after which the page starts. */
  readonly before?: Required<ListPosition>;
}

export interface RunCounts {
  readonly actions: number;
  readonly modelCalls: number;
  readonly errors: number;
  readonly evaluators: number;
}

/** A turn as the runs API shows it. Instants are epoch ms. */
export interface Run {
  readonly runId: string;
  readonly status: RunStatus;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly messageId: string;
  readonly roomId: string;
  readonly channelId: string;
  readonly entityId: string | null;
  /** The beginning of the message replied to; null when it was deleted. */
  readonly question: string | null;
  /** The beginning of the reply; null while there is none. */
  readonly answer: string | null;
  readonly attempts: number;
  readonly error: Readonly<Record<string, unknown>> | null;
  readonly counts: RunCounts;
  readonly agentId: string;
  /** Null for an agent that has been deleted. */
  readonly agentName: string | null;
  /** Tokens of its model calls; null when no call reported them. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** US dollars; null when the price of a call is not known. */
  readonly costUsd: number | null;
}

export interface RunPage {
  readonly runs: readonly Run[];
  /** Counted up to a limit; absent for the runs of all agents. */
  readonly total?: number;
  /** Position of the next page; absent on the last page. */
  readonly next?: Required<ListPosition>;
}

export interface RunEvent {
  readonly type:
    | 'RUN_STARTED'
    | 'MEMORY_RECALLED'
    | 'PROMPT_SENT'
    | 'MODEL_USED'
    | 'ACTION_STARTED'
    | 'ACTION_COMPLETED'
    | 'EVALUATOR_COMPLETED'
    | 'RUN_ENDED';
  readonly at: number;
  readonly data: Readonly<Record<string, unknown>>;
}
