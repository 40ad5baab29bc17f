import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, normalize, relative, resolve, sep } from 'node:path';

/** An entry of a character's `knowledge`; `shared` is read by nothing here. */
export type KnowledgeEntry = string | { path: string; shared?: boolean } | { directory: string; shared?: boolean };

/** Something an agent knows: a fact out of its character, or a whole document. */
export interface KnowledgeText {
  readonly text: string;
  /** Path of the document below the characters folder; undefined for a fact. */
  readonly file?: string;
}

const READABLE = /\.(md|markdown|txt)$/i;
// One word that ends like a document is a path even when nothing is there: nobody states "notes/tides.pdf" as a fact.
const PATH_LIKE = /^\S+\.(md|markdown|txt|pdf|docx?|html?|csv|json|ya?ml)$/i;
const MAX_DOCUMENT_BYTES = 1024 * 1024;
const MAX_AGENT_BYTES = 16 * MAX_DOCUMENT_BYTES;
const NOT_READ = 'is no readable .md, .markdown or .txt file of at most 1 MiB (16 MiB in all) below the characters folder';

/** True for a path that leads out of the folder it is relative to, by its text alone. */
export function isOutside(path: string): boolean {
  return isAbsolute(path) || /^([\\/~]|[a-z]:[\\/]|file:)/i.test(path) || path.split(/[\\/]/).includes('..');
}

/**
 * Reads what a character lists as knowledge. A text that names a .md, .markdown or .txt file below `folder` is that
 * document, any other is a fact. Nothing outside `folder` is read, through a symbolic link neither.
 *
 * @returns the texts in the character's order, and a sentence for each entry that was left out
 */
export async function readKnowledge(
  folder: string,
  entries: readonly KnowledgeEntry[],
): Promise<{ texts: KnowledgeText[]; leftOut: string[] }> {
  const texts: KnowledgeText[] = [];
  const leftOut: string[] = [];
  const seen = new Set<string>();
  let room = MAX_AGENT_BYTES;
  for (const entry of entries) {
    const paths = await documentsOf(folder, entry);
    if (paths === undefined) texts.push({ text: wordsOf(entry) });
    if (paths?.length === 0) leftOut.push(`${wordsOf(entry)} has no .md, .markdown or .txt file`);
    for (const path of paths ?? []) {
      // Named alone and by its folder it is still one document.
      if (seen.has(normalize(path))) continue;
      seen.add(normalize(path));
      const text = await documentText(folder, path, Math.min(room, MAX_DOCUMENT_BYTES));
      room -= Buffer.byteLength(text ?? '');
      if (text === undefined) leftOut.push(`${path} ${NOT_READ}`);
      else texts.push({ text, file: path });
    }
  }
  return { texts, leftOut };
}

/** Paths relative to the folder of the documents that an entry names; undefined when it is a fact. */
async function documentsOf(folder: string, entry: KnowledgeEntry): Promise<string[] | undefined> {
  if (typeof entry !== 'string') return 'path' in entry ? [entry.path] : filesBelow(folder, entry.directory);
  if (PATH_LIKE.test(entry)) return [entry];
  return READABLE.test(entry) && (await insideFile(folder, entry)) !== undefined ? [entry] : undefined;
}

async function filesBelow(folder: string, directory: string): Promise<string[]> {
  const real = await realInside(folder, directory);
  if (real === undefined) return [];
  try {
    const entries = await readdir(real, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && READABLE.test(entry.name));
    const paths = files.map((entry) => join(directory, relative(real, entry.parentPath), entry.name));
    return paths.sort((a, b) => a.localeCompare(b));
  } catch {
    return [];
  }
}

async function documentText(folder: string, path: string, limit: number): Promise<string | undefined> {
  const file = await insideFile(folder, path);
  if (file === undefined || file.size > limit) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file.path));
  } catch {
    return undefined;
  }
}

async function insideFile(folder: string, path: string): Promise<{ path: string; size: number } | undefined> {
  const real = await realInside(folder, path);
  if (real === undefined || !READABLE.test(real)) return undefined;
  const found = await stat(real).catch(() => undefined);
  return found?.isFile() ? { path: real, size: found.size } : undefined;
}

/** Where a path below the folder leads once links are followed; undefined when that is nowhere, or outside. */
export async function realInside(folder: string, path: string): Promise<string | undefined> {
  if (isOutside(path)) return undefined;
  try {
    const [root, real] = await Promise.all([realpath(folder), realpath(resolve(folder, path))]);
    return real === root || real.startsWith(root + sep) ? real : undefined;
  } catch {
    return undefined;
  }
}

/** The words of an entry: a fact itself, or the path it names. */
function wordsOf(entry: KnowledgeEntry): string {
  return typeof entry === 'string' ? entry : 'path' in entry ? entry.path : entry.directory;
}
