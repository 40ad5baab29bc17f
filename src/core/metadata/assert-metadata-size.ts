import { AppError } from '../errors/index.js';
import { hasAtMost } from '../text/index.js';

/** Characters of JSON. Single changes have limits of their own, but merged metadata could grow without bound. */
const MAX_CHARACTERS = 1_000_000;

/** Returns metadata after a merge. @throws AppError VALIDATION_ERROR above 1,000,000 characters of JSON */
export function assertMetadataSize(metadata: Record<string, unknown>): Record<string, unknown> {
  if (hasAtMost(JSON.stringify(metadata), MAX_CHARACTERS)) return metadata;
  throw new AppError(
    'VALIDATION_ERROR',
    `metadata must be a JSON object of at most ${MAX_CHARACTERS} characters`,
    'This change exceeds the limit. Shorten the values of existing keys first.',
  );
}
