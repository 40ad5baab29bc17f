/** A reply that is being generated, or has ended. */
export class ReplyEventView {
  [field: string]: unknown;

  /** Id of the reply, and of its message once it is stored. @format uuid */
  replyId!: string;
  /** Id of the message replied to. @format uuid */
  inReplyTo!: string;
  /** @format uuid */
  agentId!: string;
  agentName!: string;
  channelId!: string;
}

/** The next part of the text of a reply. */
export class ReplyChunkEventView extends ReplyEventView {
  text!: string;
  /** Rises from part to part of this reply, and may skip. */
  index!: number;
  /** Attempt at the reply, from 1. */
  attempt!: number;
  /** Position of the part: UTF-16 units since the last part with `reset` of the attempt. A part that is known may come again. */
  start!: number;
  /** True when the text starts again: the parts before it are void. */
  reset?: boolean;
}

/** The next part of the reasoning before a reply, of messages with `reasoning: true` in their metadata. */
export class ReasoningChunkEventView extends ReplyEventView {
  text!: string;
  /** Position among the parts of the reasoning, which starts again with 0. */
  index!: number;
}

export class ActionStartedEventView extends ReplyEventView {
  /** Name of the action. */
  action!: string;
  /** Number of the action among the steps of the reply. */
  step!: number;
}

export class ActionCompletedEventView extends ActionStartedEventView {
  success!: boolean;
  /** Duration, ms. */
  durationMs!: number;
}

/** A call of a tool that the caller of a protocol runs. */
export class HandedCallView {
  /** Id by which the caller returns the result. */
  id!: string;
  name!: string;
}

export class ReplySuspendedEventView extends ReplyEventView {
  calls!: HandedCallView[];
}

export class ReplyCompletedEventView extends ReplyEventView {
  status!: 'completed';
  /** False when the agent chose not to reply. */
  didRespond!: boolean;
}

/** Why a reply failed. */
export class ReplyFailedEventView extends ReplyEventView {
  status!: 'failed';
  code!: string;
  message!: string;
  details!: string;
}

/** Why a reply was cancelled. */
export class ReplyCancelledEventView extends ReplyEventView {
  status!: 'cancelled';
  code!: string;
  message!: string;
  details!: string;
}
