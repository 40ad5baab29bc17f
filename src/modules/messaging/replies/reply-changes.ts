import type { ErrorBody } from '../../../core/errors/index.js';
import { definitionOf, registeredEvents, type EventFields, type JournalEntry, type JournalType } from '../../../core/journal/index.js';
import type { JournalMessage, ReplyContent } from '../messages/messages.types.js';

/** A reply, known before it exists: its id is that of its message. */
export interface ReplyIds {
  readonly replyId: string;
  /** Id of the message replied to. */
  readonly messageId: string;
  readonly agentId: string;
}

/** A source of a reply, such as a piece of a document. */
export interface Citation {
  readonly document: string;
  /** Page and heading, if the document has them. */
  readonly place: string;
  /** Address of a document from the web; else null. */
  readonly url: string | null;
  readonly quote: string;
  /** The number that stands for it in the text, as `[1]`; absent when the text has none. */
  readonly reference?: number;
}

/** A call of an action or tool. */
interface ActionCall {
  readonly action: string;
  /** Number of the call among the steps of the reply. */
  readonly step: number;
  /** Absent for calls that the agent runs. */
  readonly byCaller?: true;
}

/** A call of a tool that the caller runs. Its arguments are told to the caller alone. */
export interface HandedCall {
  readonly id: string;
  readonly name: string;
}

/** A part of the text of a reply; also fields of the payload of an entry whose change is `text`. */
export interface TextPart {
  readonly text: string;
  /** Rises from part to part of a reply, and may skip. */
  readonly index: number;
  /** Attempt at the reply, from 1. */
  readonly attempt: number;
  /** How often the attempt has begun its text again. */
  readonly restart: number;
  /** Position of the part in the text: UTF-16 units since the last reset of the attempt. */
  readonly start: number;
  /** The parts before it are void. */
  readonly reset?: boolean;
}

/**
 * What a journal entry means for the replies to a message: the form that every transport reads. Definitions of events declare it, so that
 * no transport names the events of other modules.
 */
export type ReplyChange =
  /** A message was stored: the one replied to, a reply, or what an action says on the way. */
  | { readonly kind: 'stored'; readonly message: JournalMessage }
  | (ReplyIds & { readonly kind: 'begun'; /** From 1. */ readonly attempt: number })
  | (ReplyIds & { readonly kind: 'working' })
  | (ReplyIds & TextPart & { readonly kind: 'text' })
  /** The next part of the reasoning, which starts again with index 0. */
  | (ReplyIds & { readonly kind: 'reasoning'; readonly text: string; readonly index: number })
  | (ReplyIds & ActionCall & { readonly kind: 'action'; readonly status: 'started' })
  | (ReplyIds &
      ActionCall & { readonly kind: 'action'; readonly status: 'completed'; readonly success: boolean; readonly durationMs: number })
  /** `content` is null when the agent chose not to reply. `reason` is why the model stopped: `stop`, `length`, … */
  | (ReplyIds & {
      readonly kind: 'completed';
      readonly content: ReplyContent | null;
      readonly reason: string | null;
      readonly citations: readonly Citation[];
    })
  /** The reply waits for the results of calls that the caller runs, until `resumed` or an end. */
  | (ReplyIds & { readonly kind: 'suspended'; readonly calls: readonly HandedCall[] })
  /** The results have come. */
  | (ReplyIds & { readonly kind: 'resumed'; /** Of the step behind the results. */ readonly step: number })
  | (ReplyIds & { readonly kind: 'failed'; readonly reason: 'error' | 'cancelled'; readonly error: ErrorBody })
  /** The message replied to was deleted; every message of the channel without `messageId`. */
  | { readonly kind: 'withdrawn'; readonly messageId?: string }
  /** Something that the readers of a stream are told on the way. */
  | { readonly kind: 'notice'; readonly event: string; readonly fields: EventFields };

declare module '../../../core/journal/events.js' {
  interface EventDefinition<P> {
    /** What the entry means for the replies to a message; absent when it means nothing for them. */
    readonly reply?: (payload: P) => ReplyChange;
    /** Whether a reply begins or ends with the entry; absent for both. */
    readonly replyBound?: 'begin' | 'end';
  }
}

/** What a journal entry means for replies; undefined when it means nothing for them. */
export function replyChange({ type, payload }: Pick<JournalEntry, 'type' | 'payload'>): ReplyChange | undefined {
  return definitionOf(type)?.reply?.(payload);
}

/** The types of entries that begin or end a reply. */
export function replyBounds(): JournalType[] {
  return registeredEvents().flatMap(([type, { replyBound }]) => (replyBound ? [type as JournalType] : []));
}

/** Whether a change concerns the replies to a message. */
export function concerns(change: ReplyChange, messageId: string): boolean {
  switch (change.kind) {
    case 'stored':
      return change.message.id === messageId || change.message.inReplyTo === messageId;
    case 'withdrawn':
      return change.messageId === undefined || change.messageId === messageId;
    case 'notice':
      return true;
    default:
      return change.messageId === messageId;
  }
}

/** Why a change ends a reply without success; undefined for other changes. */
export function failureIn(change: ReplyChange): ErrorBody | undefined {
  if (change.kind === 'failed') return change.error;
  if (change.kind !== 'withdrawn') return undefined;
  return { code: 'TURN_CANCELLED', message: 'The message was deleted before the agent replied.', details: 'No reply will follow.' };
}
