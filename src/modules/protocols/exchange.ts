import type { Message, ReplyEvent, ReplyGap } from '../messaging/index.js';
import type { GivenResult } from '../turns/index.js';

/** A request of a caller, and what happens to the reply. */
export interface Exchange {
  readonly message: Message;
  readonly agentId: string;
  /** Id of the reply's message. */
  readonly replyId: string;
  /** Whether the conversation is to be deleted at the end of the reply. */
  readonly forgets: boolean;
  /** Where the part of the reply begins that answers this request: behind an entry of the journal, or behind results that were given before. */
  readonly from: {
    readonly offset?: number;
    readonly step?: number;
    /** Results that were given, by the id of their call, if the whole reply is told, beyond the calls that it waited for. */
    readonly results?: ReadonlyMap<string, GivenResult>;
  };
  /** What happened before `events`, if the reply is told again. */
  readonly past?: readonly (ReplyEvent | ReplyGap)[];
  readonly events: AsyncIterable<ReplyEvent | ReplyGap>;
  /** Must be called; the turn continues. */
  readonly end: () => void;
}
