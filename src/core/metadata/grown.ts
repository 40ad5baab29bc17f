import { AppError } from '../errors/index.js';

/** Characters of JSON; each change has a limit of its own, and many of them would add up to any size. */
const LARGEST = 1_000_000;

/** Metadata after a change was laid over it. @throws AppError VALIDATION_ERROR when it has become too large */
export function grown(metadata: Record<string, unknown>): Record<string, unknown> {
  if (JSON.stringify(metadata).length <= LARGEST) return metadata;
  throw new AppError(
    'VALIDATION_ERROR',
    `metadata must be a JSON object of at most ${LARGEST} characters`,
    'With this change it would have more. Take keys away first, by giving them a smaller value.',
  );
}
