// Events of a channel, under the names and fields of the journal (docs/reference/events.md), whichever transport delivers them.
import type { MessageEventView, ReplyEventView, SessionEventView } from './wire.js';
import { EVENTS, VIEWS, type EventViews } from './wire-events.js';

/** Position of an event. `seq` counts the events of the channel without gaps, except chunks. */
export interface Positioned {
  /** To go on behind the event, within a running reply too. Opaque; it belongs to the channel. */
  readonly cursor: string;
  /** Of the newest entry of the channel: rises, and chunks repeat it. */
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
  /** Id of the message that it replies to, else null. */
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

/** A reply that an agent owes to a message. */
export type ReplyReference = Readonly<ReplyEventView>;

/** Why a reply failed or was cancelled. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly details: string;
}

/** The times of a session. */
export type SessionTimes = Readonly<SessionEventView>;

/** What an event holds beside its type and position. */
type Shape<View> = View extends MessageEventView
  ? { readonly message: ChannelMessage }
  : View extends SessionEventView
    ? { readonly session: SessionTimes }
    : View extends Failure
      ? Readonly<Required<Omit<View, keyof Failure>>> & { readonly error: Failure }
      : Readonly<Required<View>>;

/** An event of a channel. The server's definitions of events make it, so that a new type of event needs nothing here. */
export type ChannelEvent = {
  [T in keyof EventViews]: Positioned & { readonly type: T } & Shape<EventViews[T]>;
}[keyof EventViews];

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

/**
 * An entry of the journal as a channel's stream writes it; undefined for types that this version does not know.
 *
 * @param cursor id of the server-sent event; sockets have it among the fields
 */
export function toChannelEvent(type: string, fields: Fields, cursor = fields['cursor']): ChannelEvent | undefined {
  if (!isEventType(type)) return undefined;
  const offset = Number(fields['offset']);
  const position = { cursor: typeof cursor === 'string' ? cursor : String(offset), offset, seq: Number(fields['seq']) };
  return { ...position, type, ...shapeOf(EVENTS[type].view, fields) } as ChannelEvent;
}

/**
 * The type of the journal entry that a socket.io event carries. Some entries are written as several socket.io events for clients of all
 * kinds: all but the first repeat an offset.
 *
 * @returns undefined for events that carry no entry of a channel
 */
export function typeOfSocketEvent(name: string, fields: Fields): keyof EventViews | undefined {
  return TYPES_BY_SOCKET.get(name)?.find((type) => fits(EVENTS[type].view, fields));
}

const TYPES_BY_SOCKET = new Map<string, (keyof EventViews)[]>();
for (const type of Object.keys(EVENTS) as (keyof EventViews)[]) {
  const { socket } = EVENTS[type];
  if (socket !== undefined) TYPES_BY_SOCKET.set(socket, [...(TYPES_BY_SOCKET.get(socket) ?? []), type]);
}

function isEventType(type: string): type is keyof EventViews {
  return Object.hasOwn(EVENTS, type);
}

/** Whether the fields that a view requires are there, as far as they tell events apart. */
function fits(view: keyof typeof VIEWS, fields: Fields): boolean {
  return Object.entries(VIEWS[view]).every(([name, kind]) => {
    if (kind === 'string') return typeof fields[name] === 'string';
    return !kind.startsWith('=') || fields[name] === valueOf(kind, undefined);
  });
}

function shapeOf(view: keyof typeof VIEWS, fields: Fields): Fields {
  if (view === 'MessageEventView') return { message: toMessage(fields) };
  if (view === 'SessionEventView') return { session: fields };
  const kinds = Object.entries(VIEWS[view]);
  const values = Object.fromEntries(kinds.map(([name, kind]) => [name, valueOf(kind, fields[name])]));
  if (!('code' in values)) return values;
  const { code: _code, message: _message, details: _details, ...rest } = values;
  return { ...rest, error: failureOf(fields) };
}

/** A field's value as its kind says; what a later server writes in another kind is replaced by an empty value. */
function valueOf(kind: string, value: unknown): unknown {
  if (kind.startsWith('=')) return kind.replace('=', '');
  if (kind.startsWith('string')) return text(value);
  if (kind.startsWith('number')) return Number(value);
  return kind.startsWith('boolean') ? value === true : value;
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
