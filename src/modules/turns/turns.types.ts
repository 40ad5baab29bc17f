import type { Agent } from '../agents/index.js';
import type { Channel, Message } from '../messaging/index.js';

/** A turn that has not ended, with the fields that the queue needs. */
export interface PendingTurn {
  readonly messageId: string;
  readonly agentId: string;
  readonly channelId: string;
  /** Position of the message in its channel; the turns of a channel run in this order. */
  readonly seq: number;
  /** Of the message; null when it no longer exists. */
  readonly authorId: string | null;
  readonly replyId: string;
  /** Earlier attempts, by any process. */
  readonly attempts: number;
  /** Of these, the ones that a stop of a server ended: they do not count against the limit. */
  readonly releases: number;
  readonly requestId: string | null;
  /** Where the turn belongs in a trace (`readTraceContext`); null without one, undefined until it is read. */
  readonly traceContext?: string | null;
  /** True when an earlier attempt started, so that steps may be recorded. */
  readonly resumed?: boolean;
  /** True while it waits for the results of tools that the caller runs. */
  readonly suspended?: true;
}

/** A claimed turn with the data that its steps need. */
export interface Turn extends PendingTurn {
  readonly message: Message;
  readonly channel: Channel;
  readonly agent: Agent;
}
