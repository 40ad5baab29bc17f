// Events of a channel, under the names and fields of the journal (docs/reference/events.md), whatever road they come by.

/** Position of an event. `offset` is the cursor to go on from; `seq` counts the events of the channel without gaps, except chunks. */
export interface Positioned {
  readonly offset: number;
  readonly seq: number;
}

/** A stored message. */
export interface ChannelMessage {
  readonly id: string;
  readonly channelId: string;
  readonly authorId: string;
  readonly authorName: string | null;
  readonly isAgent: boolean;
  readonly text: string;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The message's own id if it is the reply to another, else null. */
  readonly replyId: string | null;
  /** Id of the message that it answers, else null. */
  readonly inReplyTo: string | null;
  readonly clientMessageId: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly attachments: readonly Attachment[];
}

export interface Attachment {
  readonly url?: string;
  readonly title?: string;
  readonly contentType?: string;
  readonly [field: string]: unknown;
}

/** The answer that an agent owes to a message. */
export interface ReplyReference {
  readonly replyId: string;
  /** Id of the message that is answered. */
  readonly inReplyTo: string;
  readonly agentId: string;
  readonly agentName: string;
  readonly channelId: string;
}

/** Why an answer failed or was cancelled. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly details: string;
}

/** The times of a session. */
export interface SessionTimes {
  readonly sessionId: string;
  readonly channelId: string;
  readonly agentId: string;
  readonly userId: string;
  readonly expiresAt: number | string;
  readonly warnsAt?: number | string | null;
  readonly renewalCount?: number;
}

export type ChannelEvent =
  | (Positioned & { readonly type: 'message.created' | 'message.updated'; readonly message: ChannelMessage })
  | (Positioned & { readonly type: 'message.deleted'; readonly channelId: string; readonly messageId: string })
  | (Positioned & { readonly type: 'turn.started' } & ReplyReference)
  /** A part of the answer's text. With `reset` what was shown of it before is void. */
  | (Positioned & {
      readonly type: 'message.chunk';
      readonly text: string;
      readonly index: number;
      readonly reset: boolean;
    } & ReplyReference)
  /** A part of the reasoning before the answer, of messages with `reasoning: true` in their metadata. It starts again with index 0. */
  | (Positioned & { readonly type: 'reasoning.chunk'; readonly text: string; readonly index: number } & ReplyReference)
  | (Positioned & { readonly type: 'action.started'; readonly action: string; readonly step: number } & ReplyReference)
  | (Positioned & {
      readonly type: 'action.completed';
      readonly action: string;
      readonly step: number;
      readonly success: boolean;
      readonly durationMs: number;
    } & ReplyReference)
  | (Positioned & { readonly type: 'turn.finished'; readonly didRespond: boolean } & ReplyReference)
  | (Positioned & { readonly type: 'turn.failed' | 'turn.cancelled'; readonly error: Failure } & ReplyReference)
  | (Positioned & {
      readonly type: 'channel.created' | 'channel.updated' | 'channel.cleared' | 'channel.deleted';
      readonly channelId: string;
    })
  | (Positioned & {
      readonly type: 'session.created' | 'session.renewed' | 'session.updated' | 'session.warning' | 'session.expired' | 'session.ended';
      readonly session: SessionTimes;
    });

/** Entries behind the cursor are no longer kept: read the channel's messages again. */
export interface Gap {
  readonly type: 'gap';
  readonly from: number;
  readonly to: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** A message as lists and events of the server write it. */
export function toMessage(fields: Fields): ChannelMessage {
  const metadata = objectOf(fields['metadata']);
  const raw = objectOf(fields['rawMessage']);
  const places = [fields['attachments'], raw['attachments'], metadata['attachments']];
  return {
    id: text(fields['id']),
    channelId: text(fields['channelId']),
    authorId: text(fields['authorId'] ?? fields['senderId']),
    authorName: optional(fields['authorName']),
    isAgent: fields['isAgent'] === true,
    text: text(fields['text'] ?? fields['content']),
    createdAt: instant(fields['createdAt']),
    updatedAt: instant(fields['updatedAt'] ?? fields['createdAt']),
    replyId: optional(fields['replyId']),
    inReplyTo: optional(fields['inReplyTo']),
    clientMessageId: optional(fields['clientMessageId']),
    metadata,
    attachments: places.map(attachmentsIn).find(({ length }) => length > 0) ?? [],
  };
}

/** An entry of the journal as a channel's stream writes it; undefined for types that this version does not know. */
export function toChannelEvent(type: string, fields: Fields): ChannelEvent | undefined {
  const position = { offset: Number(fields['offset']), seq: Number(fields['seq']) };
  switch (type) {
    case 'message.created':
    case 'message.updated':
      return { ...position, type, message: toMessage(fields) };
    case 'message.deleted':
      return { ...position, type, channelId: text(fields['channelId']), messageId: text(fields['messageId']) };
    case 'turn.started':
      return { ...position, type, ...replyOf(fields) };
    case 'message.chunk': {
      const chunk = text(fields['text'] ?? fields['chunk']);
      return { ...position, type, ...replyOf(fields), text: chunk, index: Number(fields['index']), reset: fields['reset'] === true };
    }
    case 'reasoning.chunk':
      return { ...position, type, ...replyOf(fields), text: text(fields['text']), index: Number(fields['index']) };
    case 'action.started':
      return { ...position, type, ...replyOf(fields), action: text(fields['action']), step: Number(fields['step']) };
    case 'action.completed':
      return {
        ...position,
        type,
        ...replyOf(fields),
        action: text(fields['action']),
        step: Number(fields['step']),
        success: fields['success'] === true,
        durationMs: Number(fields['durationMs']),
      };
    case 'turn.finished':
      return { ...position, type, ...replyOf(fields), didRespond: fields['didRespond'] === true };
    case 'turn.failed':
    case 'turn.cancelled':
      return { ...position, type, ...replyOf(fields), error: failureOf(fields) };
    case 'channel.created':
    case 'channel.updated':
    case 'channel.cleared':
    case 'channel.deleted':
      return { ...position, type, channelId: text(fields['channelId']) };
    case 'session.created':
    case 'session.renewed':
    case 'session.updated':
    case 'session.warning':
    case 'session.expired':
    case 'session.ended':
      return { ...position, type, session: fields as unknown as SessionTimes };
    default:
      return undefined;
  }
}

export function failureOf(fields: Fields): Failure {
  return { code: text(fields['code']), message: text(fields['message']), details: text(fields['details']) };
}

/** What other programs send as attachments may be anything. */
function attachmentsIn(list: unknown): Attachment[] {
  if (!Array.isArray(list)) return [];
  return list.filter((one): one is object => typeof one === 'object' && one !== null && !Array.isArray(one)).map(attachmentOf);
}

function attachmentOf(value: object): Attachment {
  const isSound = ([name, field]: [string, unknown]): boolean =>
    !['url', 'title', 'contentType'].includes(name) || typeof field === 'string';
  return Object.fromEntries(Object.entries(value).filter(isSound));
}

function replyOf(fields: Fields): ReplyReference {
  return {
    replyId: text(fields['replyId']),
    inReplyTo: text(fields['inReplyTo']),
    agentId: text(fields['agentId']),
    agentName: text(fields['agentName']),
    channelId: text(fields['channelId']),
  };
}

function objectOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function optional(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function instant(value: unknown): number {
  return typeof value === 'number' ? value : Date.parse(text(value));
}
