import { distinctValues, type Reader } from '../../core/database/index.js';

/** The hashes of all contents that documents refer to. */
export function documentHashes(reader: Reader): AsyncIterable<string> {
  return distinctValues(reader, 'documents', 'hash');
}
