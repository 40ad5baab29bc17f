import { IsInt, IsString, Max, Min } from 'class-validator';
import { AppError } from '../../../core/errors/index.js';
import { Check, IfPresent, IsUuidText, MaxCharacters, pagedList } from '../../../core/http/index.js';
import type { SearchPage, SearchPosition, SearchQuery } from './message-search.service.js';
import type { MessageView } from './messages.dto.js';
import { presentMessage } from './messages.presenter.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;
const MAX_QUERY_LENGTH = 1000;
// Limits the number of ranked messages that a request skips.
const MAX_OFFSET = 10_000;

/** Body of `POST /api/messaging/messages/search`. */
export class SearchMessagesBody {
  /** Words, and phrases in double quotes; a message must contain all of them. When absent, only the filters apply. */
  @IfPresent()
  @IsString()
  @MaxCharacters(MAX_QUERY_LENGTH)
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

  /** Page size, 1 to 100; 50 when absent. */
  @IfPresent()
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  limit?: number;

  /** `nextCursor` of the previous page. */
  @IfPresent()
  @IsString()
  cursor?: string;

  /** Number of messages to skip. Prefer a cursor, which is stable while messages are stored and deleted. */
  @IfPresent()
  @IsInt()
  @Min(0)
  @Max(MAX_OFFSET)
  offset?: number;

  /** Page number, from 1; alternative to `offset`. */
  @IfPresent()
  @IsInt()
  @Min(1)
  @Max(MAX_OFFSET)
  page?: number;
}

/** A page of found messages, best first; newest first without a query. */
export class FoundMessagesView {
  messages!: MessageView[];
  hasMore!: boolean;
  /** Cursor of the next page; absent on the last one. */
  nextCursor?: string;
}

/** @throws AppError VALIDATION_ERROR for an invalid cursor */
export function toSearchQuery(body: SearchMessagesBody): SearchQuery {
  const { query: text, channelId, authorId, from, to, limit = DEFAULT_LIMIT, cursor, offset, page } = body;
  return {
    text,
    channelId: channelId?.toLowerCase(),
    authorId: authorId?.toLowerCase(),
    from: from === undefined ? undefined : instantOf(from),
    to: to === undefined ? undefined : instantOf(to),
    limit,
    after: cursor === undefined ? undefined : parseCursor(cursor),
    offset: offset ?? (page === undefined ? undefined : (page - 1) * limit),
  };
}

export function presentFound({ parts, next }: SearchPage): FoundMessagesView {
  return {
    messages: pagedList(parts, presentMessage),
    hasMore: next !== undefined,
    ...(next ? { nextCursor: Buffer.from(`f${next.score}:${next.pos}:${next.upTo}`).toString('base64url') } : {}),
  };
}

function parseCursor(cursor: string): SearchPosition {
  const [, score, pos, upTo] = /^f(\d{1,12}):(\d{1,15}):(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (upTo === undefined) {
    throw new AppError('VALIDATION_ERROR', 'cursor is not a cursor of this list', 'Send the nextCursor of an earlier page.');
  }
  return { score: Number(score), pos: Number(pos), upTo: Number(upTo) };
}

function instantOf(value: unknown): number {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : Number.NaN;
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN;
}

function IsInstant(): PropertyDecorator {
  return Check(
    'isInstant',
    { oneOf: [{ type: 'integer' }, { type: 'string' }] },
    (value) => !Number.isNaN(instantOf(value)),
    () => '$property must be epoch milliseconds or an ISO 8601 instant',
  );
}
