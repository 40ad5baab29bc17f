import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, normalize, relative, resolve, sep } from 'node:path';

/** An entry of a character's `knowledge`; `shared` is not used. */
export type KnowledgeEntry = string | { path: string; shared?: boolean } | { directory: string; shared?: boolean };

/** A fact of a character, or a whole document. */
export interface KnowledgeText {
  readonly text: string;
  /** Path of the document below the characters folder; undefined for a fact. */
  readonly file?: string;
}

const READABLE = /\.(md|markdown|txt)$/i;
// A single word with a document extension is a path even if the file does not exist: "notes/tides.pdf" is never a fact.
const PATH_LIKE = /^\S+\.(md|markdown|txt|pdf|docx?|html?|csv|json|ya?ml)$/i;
const MAX_DOCUMENT_BYTES = 1024 * 1024;
const MAX_AGENT_BYTES = 16 * MAX_DOCUMENT_BYTES;
const NOT_READ = 'is not a readable .md, .markdown or .txt file of at most 1 MiB (16 MiB in total) below the characters folder';

/** Whether a relative path leaves its folder, judged by its text only. */
export function leavesFolder(path: string): boolean {
  return isAbsolute(path) || /^([\\/~]|[a-z]:[\\/]|file:)/i.test(path) || path.split(/[\\/]/).includes('..');
}

/**
 * Reads a character's knowledge. A text that names a .md, .markdown or .txt file below `folder` stands for that document; any other
 * text is a fact. Files outside `folder` are not read, not even through symbolic links.
 *
 * @returns the texts in the character's order, and a message for each entry that was left out
 */
export async function readKnowledge(
  folder: string,
  entries: readonly KnowledgeEntry[],
): Promise<{ texts: KnowledgeText[]; leftOut: string[] }> {
  const texts: KnowledgeText[] = [];
  const leftOut: string[] = [];
  const seen = new Set<string>();
  let remainingBytes = MAX_AGENT_BYTES;
  for (const entry of entries) {
    const paths = await documentPaths(folder, entry);
    if (paths === undefined) texts.push({ text: entryText(entry) });
    if (paths?.length === 0) leftOut.push(`${entryText(entry)} has no .md, .markdown or .txt file`);
    for (const path of paths ?? []) {
      // A document that is named itself and by its folder is read once.
      if (seen.has(normalize(path))) continue;
      seen.add(normalize(path));
      const text = await documentText(folder, path, Math.min(remainingBytes, MAX_DOCUMENT_BYTES));
      remainingBytes -= Buffer.byteLength(text ?? '');
      if (text === undefined) leftOut.push(`${path} ${NOT_READ}`);
      else texts.push({ text, file: path });
    }
  }
  return { texts, leftOut };
}

/** Paths of the documents that an entry names, relative to the folder; undefined for a fact. */
async function documentPaths(folder: string, entry: KnowledgeEntry): Promise<string[] | undefined> {
  if (typeof entry !== 'string') return 'path' in entry ? [entry.path] : filesBelow(folder, entry.directory);
  if (PATH_LIKE.test(entry)) return [entry];
  return READABLE.test(entry) && (await findDocument(folder, entry)) !== undefined ? [entry] : undefined;
}

async function filesBelow(folder: string, directory: string): Promise<string[]> {
  const real = await resolveInside(folder, directory);
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
  const file = await findDocument(folder, path);
  if (file === undefined || file.size > limit) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file.path));
  } catch {
    return undefined;
  }
}

async function findDocument(folder: string, path: string): Promise<{ path: string; size: number } | undefined> {
  const real = await resolveInside(folder, path);
  if (real === undefined || !READABLE.test(real)) return undefined;
  const found = await stat(real).catch(() => undefined);
  return found?.isFile() ? { path: real, size: found.size } : undefined;
}

/** The real path of a path below the folder, with links resolved; undefined if it does not exist or is outside the folder. */
export async function resolveInside(folder: string, path: string): Promise<string | undefined> {
  if (leavesFolder(path)) return undefined;
  try {
    const [root, real] = await Promise.all([realpath(folder), realpath(resolve(folder, path))]);
    return real === root || real.startsWith(root + sep) ? real : undefined;
  } catch {
    return undefined;
  }
}

/** The text of an entry: the fact, or the path that it names. */
function entryText(entry: KnowledgeEntry): string {
  return typeof entry === 'string' ? entry : 'path' in entry ? entry.path : entry.directory;
}
