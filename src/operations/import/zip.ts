import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import yauzl, { type Entry, type ZipFile } from 'yauzl';

/** A file in an archive. */
export interface ZipEntry {
  readonly name: string;
  /** Bytes after decompression; more are refused while it is read. */
  readonly size: number;
  open(): Promise<Readable>;
}

const MAX_ENTRIES = 100_000;
/** Bytes of all entries after decompression. */
const MAX_EXPANDED = 8 * 1024 ** 3;

/**
 * Lists the files of an archive, without decompressing any.
 *
 * @returns the files, and a function that closes the archive
 * @throws Error for what is no archive, or one that is too large when it is decompressed
 */
export async function openZip(path: string): Promise<{ entries: ZipEntry[]; close: () => void }> {
  const open = promisify<string, yauzl.Options, ZipFile>(yauzl.open);
  const archive = await open(path, { lazyEntries: true, autoClose: false, validateEntrySizes: true });
  const read = promisify((entry: Entry, done: (error: Error | null, stream: Readable) => void) => archive.openReadStream(entry, done));
  try {
    const found = await listed(archive);
    const expanded = found.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
    if (expanded > MAX_EXPANDED) throw new Error(`has ${expanded} bytes when it is decompressed, more than ${MAX_EXPANDED}`);
    const entries = found.map((entry) => ({ name: entry.fileName, size: entry.uncompressedSize, open: () => read(entry) }));
    return { entries, close: () => archive.close() };
  } catch (error) {
    archive.close();
    throw error;
  }
}

function listed(archive: ZipFile): Promise<Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = [];
    archive.on('error', reject);
    archive.on('end', () => resolve(entries));
    archive.on('entry', (entry: Entry) => {
      if (!entry.fileName.endsWith('/')) entries.push(entry);
      if (entries.length > MAX_ENTRIES) reject(new Error(`has more than ${MAX_ENTRIES} files`));
      else archive.readEntry();
    });
    archive.readEntry();
  });
}
