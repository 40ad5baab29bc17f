import { distinctValues, type Reader } from '../../core/database/index.js';

/** The hashes of all contents that files refer to. */
export function mediaHashes(reader: Reader): AsyncIterable<string> {
  return distinctValues(reader, 'media_files', 'hash');
}
