import type { ReplyIds } from './reply-changes.js';

/** Tokens and model calls of a reply. */
export interface ReplyUsage {
  /** Null when the service did not report them. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly calls: number;
}

/** What only readers of runs may see of a change: arguments and results may contain secrets. */
export interface ReplyDetails {
  /** Of an action. */
  readonly arguments?: unknown;
  /** Of a completed action. */
  readonly result?: unknown;
  /** Of a reply that has ended. */
  readonly usage?: ReplyUsage;
}

/** Knows the details of replies; a hook, of the module that makes them. */
export interface ReplyDetailsSource {
  /** @param step of the call @returns empty for a call that is not recorded */
  ofAction(reply: ReplyIds, step: number): Promise<Pick<ReplyDetails, 'arguments' | 'result'>>;
  usageOf(reply: ReplyIds): Promise<ReplyUsage>;
}

declare module '../../../core/hooks/hook-kinds.js' {
  interface HookKinds {
    replyDetails: ReplyDetailsSource;
  }
}
