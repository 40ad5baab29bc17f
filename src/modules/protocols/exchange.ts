import type { Message, ReplyEvent, ReplyGap } from '../messaging/index.js';

/** A request of a caller, and what happens to the reply. */
export interface Exchange {
  readonly message: Message;
  readonly agentId: string;
  /** Id of the reply's message. */
  readonly replyId: string;
  /** Whether the conversation is to be deleted at the end of the reply. */
  readonly forgets: boolean;
  /** Where the part of the reply begins that answers this request: behind an entry of the journal, or behind results that were given before. */
  readonly from: { readonly offset?: number; readonly step?: number };
  readonly events: AsyncIterable<ReplyEvent | ReplyGap>;
  /** Must be called; the turn continues. */
  readonly end: () => void;
}
