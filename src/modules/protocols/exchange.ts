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
  /** Where the part of the reply begins that answers this request. */
  readonly from: {
    /** It begins behind results: with this step of the reply. */
    readonly step?: number;
    /** Of the entry with which the reply goes on, if this request brought the results. */
    readonly offset?: number;
    /** It is the whole reply, also behind calls whose results, by the id of their call, have been given. */
    readonly results?: ReadonlyMap<string, GivenResult>;
  };
  /** What happened before `events`, if the reply is told again. */
  readonly past?: readonly (ReplyEvent | ReplyGap)[];
  readonly events: AsyncIterable<ReplyEvent | ReplyGap>;
  /** Must be called; the turn continues. */
  readonly end: () => void;
}
