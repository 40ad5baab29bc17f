import { IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { AppError } from '../../core/errors/index.js';
import { Checked, IfPresent, IsUuidText } from '../../core/http/index.js';
import type { SearchPage, SearchPlace, SearchQuery } from './message-search.service.js';
import type { MessageView } from './messages.dto.js';
import { presentMessage } from './messages.presenter.js';

const DEFAULT_LIMIT = 50;
const LARGEST_LIMIT = 100;
const LONGEST_QUERY = 1000;
// Beyond it there is nothing that is ranked.
const LARGEST_OFFSET = 10_000;

/** Body of `POST /api/messaging/messages/search`. */
export class SearchMessagesBody {
  /** Words, and phrases in double quotes, that a message must all have; without it the filters alone count. */
  @IfPresent()
  @IsString()
  @MaxLength(LONGEST_QUERY)
  query?: string;

  @IfPresent()
  @IsUuidText()
  channelId?: string;

  @IfPresent()
  @IsUuidText()
  authorId?: string;

  /** Earliest time of a message: epoch milliseconds or ISO 8601. */
  @IfPresent()
  @IsInstant()
  from?: unknown;

  /** Latest time of a message: epoch milliseconds or ISO 8601. */
  @IfPresent()
  @IsInstant()
  to?: unknown;

  /** Messages in a page, 1 to 100; 50 when it is left out. */
  @IfPresent()
  @IsInt()
  @Min(1)
  @Max(LARGEST_LIMIT)
  limit?: number;

  /** Where the page before ended: its nextCursor. */
  @IfPresent()
  @IsString()
  cursor?: string;

  /** How many messages to pass over. A cursor is better: it keeps its place while messages come and go. */
  @IfPresent()
  @IsInt()
  @Min(0)
  @Max(LARGEST_OFFSET)
  offset?: number;

  /** The number of the page, from 1; in place of `offset`. */
  @IfPresent()
  @IsInt()
  @Min(1)
  @Max(LARGEST_OFFSET)
  page?: number;
}

/** A page of found messages, the best first; without a query the newest first. */
export class FoundMessagesView {
  messages!: MessageView[];
  hasMore!: boolean;
  /** Where the next page begins; absent on the last one. */
  nextCursor?: string;
}

/** @throws AppError VALIDATION_ERROR for a cursor that is none */
export function toSearchQuery(body: SearchMessagesBody): SearchQuery {
  const { query: text, channelId, authorId, from, to, limit = DEFAULT_LIMIT, cursor, offset, page } = body;
  return {
    text,
    channelId: channelId?.toLowerCase(),
    authorId: authorId?.toLowerCase(),
    from: from === undefined ? undefined : instantOf(from),
    to: to === undefined ? undefined : instantOf(to),
    limit,
    after: cursor === undefined ? undefined : placeOf(cursor),
    offset: offset ?? (page === undefined ? undefined : (page - 1) * limit),
  };
}

export function presentFound({ messages, next }: SearchPage): FoundMessagesView {
  return {
    messages: messages.map(presentMessage),
    hasMore: next !== undefined,
    ...(next ? { nextCursor: Buffer.from(`f${next.score}:${next.pos}:${next.upTo}`).toString('base64url') } : {}),
  };
}

function placeOf(cursor: string): SearchPlace {
  const [, score, pos, upTo] = /^f(\d{1,12}):(\d{1,15}):(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (upTo === undefined) {
    throw new AppError('VALIDATION_ERROR', 'cursor is none that this operation gave out', 'Send the nextCursor of an earlier page.');
  }
  return { score: Number(score), pos: Number(pos), upTo: Number(upTo) };
}

function instantOf(value: unknown): number {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : Number.NaN;
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN;
}

function IsInstant(): PropertyDecorator {
  return Checked(
    'isInstant',
    { oneOf: [{ type: 'integer' }, { type: 'string' }] },
    (value) => !Number.isNaN(instantOf(value)),
    () => '$property must be epoch milliseconds or an ISO 8601 instant',
  );
}
