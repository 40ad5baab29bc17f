import type { ErrorBody } from '../../core/errors/index.js';
import { idForAgent } from '../../core/ids/index.js';
import type { EventDefinitions, EventFields } from '../../core/journal/index.js';
import type { Citation, HandedCall, ReplyChange, ReplyContent, ReplyIds, TextPart } from '../messaging/index.js';
import { noticeText } from './failure-notice.js';
import {
  ActionCompletedEventView,
  ActionStartedEventView,
  ReasoningChunkEventView,
  ReplyCancelledEventView,
  ReplyChunkEventView,
  ReplyCompletedEventView,
  ReplyEventView,
  ReplyFailedEventView,
  ReplySuspendedEventView,
} from './turn-events.dto.js';

export interface TurnReference {
  /** The user's message that the turn replies to. */
  messageId: string;
  channelId: string;
  serverId: string;
  agentId: string;
  agentName: string;
  /** Id of the reply, known before the reply exists; also the id of its streamed chunks. */
  replyId: string;
}

/** An action call within a turn. */
interface ActionReference extends TurnReference {
  /** Name of the action; the name in the model's call when the agent has no such action. */
  action: string;
  /** Step number of the call within the turn. */
  step: number;
  /** True when the caller of a protocol runs it. */
  byCaller?: true;
}

interface TurnEvents {
  'message.chunk': TurnReference & TextPart;
  /** Only of messages that ask for it (`asksForReasoning`). */
  'reasoning.chunk': TurnReference & {
    text: string;
    /** Position among the chunks of this attempt's reasoning, from 0; with 0 the reasoning starts again. */
    index: number;
  };
  /** Follows the one before it, or the start of the turn, by some seconds. */
  'turn.progress': TurnReference;
  /** Followed by `action.completed` or the end of the turn. */
  'action.started': ActionReference;
  /** The outcome is recorded. Arguments and results may contain secrets, so only runs show them. */
  'action.completed': ActionReference & { success: boolean; durationMs: number };
  'turn.started': TurnReference & { attempt: number };
  /** The turn waits for the results of tools that the caller runs. */
  'turn.suspended': TurnReference & { calls: readonly HandedCall[] };
  'turn.resumed': TurnReference & { /** Of the step behind the results. */ step: number };
  'turn.finished': TurnReference & {
    /** False when the agent chose not to reply. */
    didRespond: boolean;
    reply: ReplyContent | null;
  };
  'turn.failed': TurnReference & { error: ErrorBody; partialText?: string };
  'turn.cancelled': TurnReference & { error: ErrorBody };
}

export const TURN_EVENTS: EventDefinitions<TurnEvents> = {
  'message.chunk': {
    about: 'A chunk of a reply was generated.',
    view: ReplyChunkEventView,
    transient: true,
    fields: (chunk) => {
      const { index, text, reset, attempt, start } = chunk;
      return { ...turnFields(chunk), index, text, chunk: text, attempt, start, ...(reset ? { reset } : {}) };
    },
    sockets: { messageStreamChunk: ({ replyId }) => ({ messageId: replyId }) },
    reply: (chunk) => {
      const { text, index, attempt, restart, start, reset } = chunk;
      return { kind: 'text', ...replyIds(chunk), text, index, attempt, restart, start, ...(reset ? { reset } : {}) };
    },
  },
  'reasoning.chunk': {
    about:
      'A chunk of the reasoning before a reply was generated. Sent when the metadata of the message or of its channel has `reasoning: true`.',
    view: ReasoningChunkEventView,
    transient: true,
    fields: (chunk) => ({ ...turnFields(chunk), index: chunk.index, text: chunk.text }),
    sockets: { messageStreamReasoning: ({ replyId }) => ({ messageId: replyId }) },
    reply: (chunk) => ({ kind: 'reasoning', ...replyIds(chunk), text: chunk.text, index: chunk.index }),
  },
  'turn.progress': {
    about: 'A reply is being prepared, and nothing of it can be shown yet.',
    transient: true,
    fields: turnFields,
    reply: (turn) => ({ kind: 'working', ...replyIds(turn) }),
  },
  'action.started': {
    about: 'An agent started an action.',
    view: ActionStartedEventView,
    fields: (call) => ({ ...turnFields(call), action: call.action, step: call.step }),
    sockets: { 'action.started': () => ({}) },
    reply: (call) => ({ kind: 'action', ...actionCall(call), status: 'started' }),
  },
  'action.completed': {
    about: 'An action completed.',
    view: ActionCompletedEventView,
    fields: (call) => {
      const { action, step, success, durationMs } = call;
      return { ...turnFields(call), action, step, success, durationMs };
    },
    sockets: { 'action.completed': () => ({}) },
    reply: (call) => {
      const { success, durationMs } = call;
      return { kind: 'action', ...actionCall(call), status: 'completed', success, durationMs };
    },
  },
  'turn.started': {
    about: 'An agent started to reply to a message.',
    view: ReplyEventView,
    fields: turnFields,
    sockets: { controlMessage: () => ({ action: 'disable_input', target: 'input' }) },
    reply: (turn) => ({ kind: 'begun', ...replyIds(turn), attempt: turn.attempt }),
    replyBound: 'begin',
  },
  'turn.suspended': {
    about: 'A reply waits for the results of tools that the caller runs.',
    view: ReplySuspendedEventView,
    fields: (turn) => ({ ...turnFields(turn), calls: turn.calls.map(({ id, name }) => ({ id, name })) }),
    sockets: { 'turn.suspended': () => ({}) },
    reply: (turn) => ({ kind: 'suspended', ...replyIds(turn), calls: turn.calls }),
  },
  'turn.resumed': {
    about: 'The results that a reply waited for have come.',
    view: ReplyEventView,
    fields: turnFields,
    sockets: { 'turn.resumed': () => ({}) },
    reply: (turn) => ({ kind: 'resumed', ...replyIds(turn), step: turn.step }),
  },
  'turn.finished': {
    about: 'An agent replied to a message, or chose not to reply.',
    view: ReplyCompletedEventView,
    fields: (turn) => ({ ...turnFields(turn), status: 'completed', didRespond: turn.didRespond }),
    sockets: { messageComplete: completed, controlMessage: enableInput },
    reply: completedReply,
    replyBound: 'end',
  },
  'turn.failed': {
    about: 'A reply failed.',
    view: ReplyFailedEventView,
    fields: (turn) => ({ ...turnFields(turn), status: 'failed', didRespond: false, ...turn.error }),
    sockets: {
      messageStreamError: ({ error, replyId, partialText }) => ({
        messageId: replyId,
        error: error.message,
        ...(partialText === undefined ? {} : { partialText }),
      }),
      // Chats show messages of the agent only; this one is not stored, and `replyId` null says that it is no reply.
      messageBroadcast: failureNotice,
      messageComplete: completed,
      controlMessage: enableInput,
    },
    reply: (turn) => ({ kind: 'failed', ...replyIds(turn), reason: 'error', error: turn.error }),
    replyBound: 'end',
  },
  'turn.cancelled': {
    about: 'A reply was cancelled.',
    view: ReplyCancelledEventView,
    fields: (turn) => ({ ...turnFields(turn), status: 'cancelled', didRespond: false, ...turn.error }),
    sockets: { messageComplete: completed, controlMessage: enableInput },
    reply: (turn) => ({ kind: 'failed', ...replyIds(turn), reason: 'cancelled', error: turn.error }),
    replyBound: 'end',
  },
};

function turnFields({ replyId, messageId, agentId, agentName, channelId, serverId }: TurnReference): EventFields {
  return { replyId, inReplyTo: messageId, agentId, agentName, channelId, serverId };
}

function replyIds({ replyId, messageId, agentId }: TurnReference): ReplyIds {
  return { replyId, messageId, agentId };
}

function actionCall({
  action,
  step,
  byCaller,
  ...turn
}: ActionReference): Omit<Extract<ReplyChange, { kind: 'action' }>, 'kind' | 'status'> {
  return { ...replyIds(turn), action, step, ...(byCaller && { byCaller }) };
}

function completedReply(turn: TurnEvents['turn.finished']): ReplyChange {
  const { finishReason, sources } = turn.reply?.metadata ?? {};
  return {
    kind: 'completed',
    ...replyIds(turn),
    content: turn.reply,
    reason: typeof finishReason === 'string' ? finishReason : null,
    citations: Array.isArray(sources) ? (sources as readonly Citation[]) : [],
  };
}

function completed({ messageId, error }: TurnReference & { error?: ErrorBody }): EventFields {
  return { messageId, ...(error === undefined ? {} : { error }) };
}

function failureNotice({ error, replyId, agentId, agentName, serverId }: TurnEvents['turn.failed'], at: number): EventFields {
  const text = noticeText(error);
  return {
    id: idForAgent(agentId, `failure of ${replyId}`),
    ...{ replyId: null, text, content: text, isAgent: true, source: 'turn_failure', metadata: { failure: error } },
    ...{ authorId: agentId, authorName: agentName, senderId: agentId, senderName: agentName || 'Agent' },
    ...{ messageServerId: serverId, createdAt: at, updatedAt: at },
  };
}

function enableInput(): EventFields {
  return { action: 'enable_input', target: 'input' };
}

declare module '../../core/journal/events.js' {
  interface JournalPayloads extends TurnEvents {}
}
