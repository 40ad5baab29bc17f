import type { Agent } from '../agents/index.js';
import type { Channel, Message } from '../messaging/index.js';

/** An answer that is owed, as far as the queue needs to know it. */
export interface OwedTurn {
  readonly messageId: string;
  readonly agentId: string;
  readonly channelId: string;
  /** Position of the message in its channel: turns of a channel run in this order. */
  readonly seq: number;
  readonly replyId: string;
  /** Attempts that were begun before, by whichever process. */
  readonly attempts: number;
  readonly requestId: string | null;
  /** True when it was begun before, whether or not that attempt counts: something may be recorded. */
  readonly begun?: boolean;
}

/** A claimed turn with everything its steps look at. */
export interface Turn extends OwedTurn {
  readonly message: Message;
  readonly channel: Channel;
  readonly agent: Agent;
}
