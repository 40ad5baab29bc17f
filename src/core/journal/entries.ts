import type { ErrorBody } from '../errors/index.js';

/** How a message stands in the journal: complete, so that a reader needs no second look. */
export interface JournalMessage {
  id: string;
  channelId: string;
  serverId: string;
  authorId: string;
  authorKind: 'user' | 'agent';
  authorName: string | null;
  content: string;
  rawMessage: Record<string, unknown> | null;
  sourceType: string;
  sourceId: string | null;
  metadata: Record<string, unknown>;
  inReplyTo: string | null;
  clientMessageId: string | null;
  /** Whether the credential that the message came with vouched for its author. */
  vouched: boolean;
  /** The agents that owe an answer to this message, and the id that each answer will have. */
  awaiting: { agentId: string; replyId: string }[];
  createdAt: number;
  updatedAt: number;
}

export interface TurnReference {
  /** The user's message that the turn answers. */
  messageId: string;
  channelId: string;
  serverId: string;
  agentId: string;
  agentName: string;
  /** Id that the reply has or will have; also the id of its streamed chunks. */
  replyId: string;
}

/** A call of an action within a turn. */
export interface ActionReference extends TurnReference {
  /** Name of the action; as the model called it when there is no such action. */
  action: string;
  /** Number of the call among the steps of the turn. */
  step: number;
}

/** What the agent answered, in the words of the field (contract 5.6, "Content"). */
export interface ReplyContent {
  text: string;
  thought?: string;
  actions: string[];
  providers: string[];
  metadata: Record<string, unknown>;
}

export interface JournalChannel {
  id: string;
  serverId: string;
  name: string;
  type: string;
  channelType: string;
  description: string | null;
  metadata: Record<string, unknown>;
  turnPolicy: string;
  /** Who takes part; entries of earlier versions lack it. */
  participantIds?: string[];
  createdAt: number;
  updatedAt: number;
}

interface SessionReference {
  sessionId: string;
  channelId: string;
  agentId: string;
  userId: string;
  /** Epoch ms. */
  expiresAt: number;
  /** When the warning of this life period is due, epoch ms. */
  warnsAt: number;
}

interface AgentReference {
  agentId: string;
  name: string;
}

/** A try to handle what a plugin's webhook has received. */
interface DeliveryReference {
  deliveryId: string;
  plugin: string;
  /** As `POST /hooks/github`. */
  route: string;
  agentId: string;
  /** The id that its sender gave it. */
  senderId: string | null;
  /** How often it has been tried. */
  attempts: number;
  error: string | null;
}

/** Every kind of entry and what it carries. Clients hear of nothing that is not in this list. */
export interface JournalPayloads {
  'message.created': JournalMessage;
  /** The message as it is now. */
  'message.updated': JournalMessage;
  'message.chunk': TurnReference & {
    text: string;
    /** Position among the chunks of this reply, from 0. */
    index: number;
    /** True when an earlier attempt had begun another text: what was shown is to be dropped. */
    reset?: true;
  };
  /** The model has called an action, which is run now; its end, or that of the turn, follows. */
  'action.started': ActionReference;
  /** An action has ended, and its outcome is recorded. What it was called with and what it returned may hold secrets: runs tell that. */
  'action.completed': ActionReference & { success: boolean; durationMs: number };
  'message.deleted': { messageId: string; channelId: string };
  /** A client says that nothing more is to come in answer to a message, or in the channel. */
  'message.completed': { channelId: string; serverId: string; messageId: string | null; status: string; error?: string };
  'turn.started': TurnReference & { attempt: number };
  'turn.finished': TurnReference & {
    /** False when the agent chose to stay silent. */
    didRespond: boolean;
    reply: ReplyContent | null;
  };
  'turn.failed': TurnReference & { error: ErrorBody; partialText?: string };
  'turn.cancelled': TurnReference & { error: ErrorBody };
  'channel.created': JournalChannel;
  'channel.updated': JournalChannel;
  'channel.cleared': { channelId: string };
  'channel.deleted': { channelId: string };
  'session.created': SessionReference;
  'session.renewed': SessionReference & { renewalCount: number };
  'session.updated': SessionReference;
  'session.warning': SessionReference & { minutesRemaining: number; timeRemaining: number };
  'session.expired': SessionReference;
  'session.ended': SessionReference;
  // Of no channel: what processes tell each other about their agents.
  'agent.created': AgentReference;
  'agent.updated': AgentReference;
  'agent.started': AgentReference;
  'agent.stopped': AgentReference;
  'agent.deleted': AgentReference;
  /** Of no channel: a memory's text or vector was changed, or it was deleted; without an id many were. */
  'memory.changed': { agentId: string; memoryId: string | null };
  // Of no channel: what became of a delivery. One that failed is tried again, by us or by its sender; one that is dead is not.
  'delivery.done': DeliveryReference;
  'delivery.failed': DeliveryReference;
  'delivery.dead': DeliveryReference;
}

export type JournalType = keyof JournalPayloads;

/** One entry as readers get it. */
export type JournalEntry = {
  [T in JournalType]: {
    readonly type: T;
    readonly payload: JournalPayloads[T];
    /** Position in the whole journal; strictly increasing in commit order. */
    readonly offset: number;
    readonly channelId: string | null;
    /** Position in the channel: 1, 2, 3, … without a gap. Chunks repeat the position of the entry before them. */
    readonly seq: number | null;
    /** Epoch ms. */
    readonly at: number;
    readonly requestId: string | null;
  };
}[JournalType];
