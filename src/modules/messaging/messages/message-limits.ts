import { AppError } from '../../../core/errors/index.js';
import { Check, IsJsonObject } from '../../../core/http/index.js';
import { hasAtMost } from '../../../core/text/index.js';
import type { PostMessage } from './messages.types.js';

// The sizes of a message, for every interface. `MessagesService` holds each message and each change against them, from every sender; interfaces
// check what they read to name the field as their clients do.

/** Maximum length of a message's text, characters. */
export const MAX_MESSAGE_LENGTH = 100_000;
/** Maximum length of an id or short name that a caller chooses, characters. */
export const MAX_KEY_LENGTH = 255;
/** Maximum length of `raw_message`, and of an agent's metadata, characters of JSON. */
export const MAX_RAW_MESSAGE_LENGTH = 1_000_000;
/** Maximum length of a user's metadata, characters of JSON; attachments count by themselves. */
const MAX_METADATA_LENGTH = 100_000;
const MAX_ATTACHMENTS = 100;
const MAX_ATTACHMENTS_LENGTH = 1_000_000;
/** Fields that the interfaces add to metadata: a name and ids. */
const ADDED_LENGTH = 1000;

/** The fault of the metadata of a user's message, as the end of a sentence about the field. */
export function metadataError(value: unknown): string | undefined {
  return isObject(value) && fits(value, MAX_METADATA_LENGTH)
    ? undefined
    : `must be a JSON object of at most ${MAX_METADATA_LENGTH} characters`;
}

/** As `metadataError`, for attachments. */
export function attachmentsError(value: unknown): string | undefined {
  const isValid = Array.isArray(value) && value.length <= MAX_ATTACHMENTS && value.every(isObject) && fits(value, MAX_ATTACHMENTS_LENGTH);
  return isValid
    ? undefined
    : `must be a list of at most ${MAX_ATTACHMENTS} objects with together at most ${MAX_ATTACHMENTS_LENGTH} characters of JSON`;
}

/** The metadata of a user's message. */
export function IsMetadata(): PropertyDecorator {
  return IsJsonObject(MAX_METADATA_LENGTH);
}

/** The attachments of a message. */
export function IsAttachments(): PropertyDecorator {
  return Check(
    'isAttachments',
    { type: 'array', items: { type: 'object', additionalProperties: true }, maxItems: MAX_ATTACHMENTS },
    (value) => attachmentsError(value) === undefined,
    ({ value }) => `$property ${attachmentsError(value) ?? ''}`,
  );
}

type Sized = Pick<
  PostMessage,
  'authorKind' | 'authorName' | 'content' | 'rawMessage' | 'sourceType' | 'sourceId' | 'metadata' | 'clientMessageId'
>;

/** Holds a message as it will be stored against the sizes. @throws AppError VALIDATION_ERROR naming the field */
export function assertMessageSize({ authorKind, content, rawMessage, metadata = {}, ...named }: Sized): void {
  const { attachments, ...own } = metadata;
  const limit = authorKind === 'agent' ? MAX_RAW_MESSAGE_LENGTH : MAX_METADATA_LENGTH;
  const { authorName, sourceType, sourceId, clientMessageId } = named;
  const names = Object.entries({ authorName, sourceType, sourceId, clientMessageId });
  const long = names.find(([, value]) => !hasAtMost(value ?? '', MAX_KEY_LENGTH))?.[0];
  if (!hasAtMost(content, MAX_MESSAGE_LENGTH)) refuse('content', `must have at most ${MAX_MESSAGE_LENGTH} characters`);
  if (!fits(own, limit + ADDED_LENGTH)) refuse('metadata', `must be a JSON object of at most ${limit} characters`);
  if (attachments !== undefined && !fits(attachments, MAX_ATTACHMENTS_LENGTH)) refuse('attachments', attachmentsError(null));
  if (!fits(rawMessage ?? {}, MAX_RAW_MESSAGE_LENGTH)) {
    refuse('raw_message', `must be a JSON object of at most ${MAX_RAW_MESSAGE_LENGTH} characters`);
  }
  if (long !== undefined) refuse(long, `must have at most ${MAX_KEY_LENGTH} characters`);
}

function refuse(field: string, fault: string | undefined): never {
  throw new AppError('VALIDATION_ERROR', `${field} ${fault}`, `Send a shorter ${field}. Upload files, and send their URLs as attachments.`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param max characters of JSON */
function fits(value: unknown, max: number): boolean {
  return hasAtMost(JSON.stringify(value) ?? '', max);
}
