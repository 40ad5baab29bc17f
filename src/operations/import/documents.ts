import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { streamArray } from 'stream-json/streamers/stream-array.js';
import { errorMessage } from '../../core/errors/index.js';
import { assertDepth, decodeText, JsonTextError, parseJsonText } from '../../core/json-text/index.js';
import { label } from './foreign.js';
import { isPng, pictureTexts } from './png.js';
import { openZip } from './zip.js';

/** A value of a file: the file itself, or one of the list that it holds. */
export interface Document {
  readonly value: unknown;
  /** File, and number in its list, for messages. */
  readonly place: string;
}

/** A file cannot be read. The message is a sentence that begins with the file. */
export class UnreadableFile extends Error {}

interface Source {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly open: () => Promise<Readable>;
}

/** Files up to this size are read whole, so that nothing of a broken one is taken. */
const MAX_WHOLE = 32 * 1024 ** 2;
/** Larger lists are read entry by entry; any other JSON has to be read whole. */
const MAX_OBJECT = 256 * 1024 ** 2;
const MAX_PICTURE = 256 * 1024 ** 2;
const MAX_FILES = 10_000;
const READABLE = /\.(?:json|jsonc|json5|af|png|apng|zip|charx)$/i;

/** The files that a path names: itself, or what a folder holds at any depth. @returns also the names of files of other kinds */
export async function filesAt(path: string): Promise<{ files: string[]; others: string[] }> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new UnreadableFile(`${path} cannot be read (${error.code ?? 'unknown cause'}).`);
  });
  if (!found.isDirectory()) return { files: [path], others: [] };
  const entries = (await readdir(path, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  if (entries.length > MAX_FILES) throw new UnreadableFile(`${path} has more than ${MAX_FILES} files. Name those to import.`);
  const names = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  const isReadable = (name: string): boolean => READABLE.test(name) && !basename(name).startsWith('.');
  return { files: names.filter(isReadable), others: names.filter((name) => !isReadable(name)).map((name) => relative(path, name)) };
}

/**
 * The values of a file: JSON, a picture with a character card, or an archive with such files. Long lists are read entry by entry.
 *
 * @param leave called with the name of each file of an archive that is not read, and with faults that do no harm
 * @throws UnreadableFile
 */
export async function* documentsOf(path: string, leave: (what: string) => void): AsyncGenerator<Document> {
  const { size } = await stat(path);
  const start = await beginningOf(path);
  const name = basename(path);
  if (isPng(start)) yield await cardIn({ name, size, open: () => streamOf(path) }, leave);
  else if (start.toString('latin1', 0, 4) === 'PK\u0003\u0004') yield* archived(path, leave);
  else yield* jsonIn({ name, size, open: () => streamOf(path) });
}

async function* archived(path: string, leave: (what: string) => void): AsyncGenerator<Document> {
  const archive = await openZip(path).catch((error: unknown) => {
    throw new UnreadableFile(`${path} is no archive that can be read: ${errorMessage(error)}.`);
  });
  try {
    for (const entry of archive.entries) {
      const { name, size } = entry;
      const source = { name: `${basename(path)}/${label(name)}`, size, open: () => entry.open() };
      if (/\.a?png$/i.test(name) && archive.entries.length === 1) yield await cardIn(source, leave);
      else if (/\.(?:json|af)$/i.test(name)) yield* jsonIn(source);
      else leave(`${source.name}: a file that is no JSON`);
    }
  } finally {
    archive.close();
  }
}

async function cardIn(source: Source, leave: (what: string) => void): Promise<Document> {
  if (source.size > MAX_PICTURE) throw new UnreadableFile(`${source.name} is larger than ${MAX_PICTURE} bytes.`);
  const { texts, faults } = pictureTexts(await bytesOf(source));
  const reasons = [...faults];
  for (const keyword of ['ccv3', 'chara']) {
    const written = texts.get(keyword);
    if (written === undefined) continue;
    try {
      const value = parseJsonText(written.trimStart().startsWith('{') ? written : decodeText(Buffer.from(written, 'base64')));
      for (const reason of reasons) leave(`${source.name}: ${reason}`);
      return { value, place: source.name };
    } catch (error) {
      if (!(error instanceof JsonTextError)) throw error;
      reasons.push(`its character card (${keyword}) ${error.message}`);
    }
  }
  throw new UnreadableFile(`${source.name} is a picture without a character card${reasons.length === 0 ? '' : `: ${reasons.join('; ')}`}.`);
}

async function* jsonIn(source: Source): AsyncGenerator<Document> {
  const { name, size } = source;
  if (size > MAX_WHOLE && (await beginsList(source))) {
    yield* entriesOf(source);
    return;
  }
  if (size > MAX_OBJECT) throw new UnreadableFile(`${name} is larger than ${MAX_OBJECT} bytes, which only lists may be.`);
  const value = await bytesOf(source).then((bytes) => {
    try {
      return parseJsonText(decodeText(bytes));
    } catch (error) {
      throw error instanceof JsonTextError ? new UnreadableFile(`${name} ${error.message}.`) : error;
    }
  });
  if (!Array.isArray(value)) yield { value, place: name };
  else for (const [index, each] of value.entries()) yield { value: each as unknown, place: `${name}, entry ${index + 1}` };
}

/** The entries of a list. Those before a fault are returned before it is thrown. */
async function* entriesOf({ name, open }: Source): AsyncGenerator<Document> {
  const entries = streamArray.withParserAsStream();
  pipeline(Readable.from(decoded(await open())), entries, () => undefined);
  let count = 0;
  try {
    for await (const { value } of entries as AsyncIterable<{ value: unknown }>) {
      count += 1;
      assertDepth(value);
      yield { value, place: `${name}, entry ${count}` };
    }
  } catch (error) {
    if (error instanceof JsonTextError) throw new UnreadableFile(`${name}, entry ${count} ${error.message}.`);
    const before = count === 0 ? 'at its first entries' : `after entry ${count}; the entries before are taken`;
    throw new UnreadableFile(`${name} is not JSON ${before} (${errorMessage(error)}).`);
  }
}

async function* decoded(stream: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of stream as AsyncIterable<Uint8Array>) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

async function beginsList(source: Source): Promise<boolean> {
  const stream = await source.open();
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    stream.destroy();
    return /^[\uFEFF\s]*\[/.test(chunk.toString('utf8', 0, 200));
  }
  return false;
}

async function bytesOf({ name, open: start }: Source): Promise<Buffer> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of (await start()) as AsyncIterable<Buffer>) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch (error) {
    throw new UnreadableFile(`${name} cannot be read: ${errorMessage(error)}.`, { cause: error });
  }
}

function streamOf(path: string): Promise<Readable> {
  return Promise.resolve(createReadStream(path));
}

async function beginningOf(path: string): Promise<Buffer> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new UnreadableFile(`${path} cannot be read (${error.code ?? 'unknown cause'}).`);
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
