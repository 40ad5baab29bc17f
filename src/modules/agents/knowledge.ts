import { readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, normalize, relative, resolve, sep } from 'node:path';
import { documentTypeOf } from '../../core/file-types/index.js';

/** An entry of a character's `knowledge`; `shared` is not used. */
export type KnowledgeEntry = string | { path: string; shared?: boolean } | { directory: string; shared?: boolean };

/** A fact of a character. */
export interface Fact {
  readonly text: string;
}

/** A document that a character names. */
export interface KnowledgeFile {
  /** Below the characters folder, with slashes. */
  readonly path: string;
  /** With links resolved. */
  readonly realPath: string;
  /** Bytes. */
  readonly size: number;
}

/** What the entries of a character's `knowledge` stand for. */
export interface Knowledge {
  /** In the character's order. */
  readonly facts: readonly Fact[];
  /** In the character's order, each once. */
  readonly files: readonly KnowledgeFile[];
  /** Paths of named files and folders that cannot be read. */
  readonly unreadable: readonly string[];
  /** A message for each entry that was left out. */
  readonly leftOut: readonly string[];
}

// A single word with a document extension is a path even if the file does not exist: "notes/tides.pdf" is never a fact.
const PATH_LIKE = /^\S+\.(md|markdown|txt|pdf|docx?|xlsx?|pptx?|od[tsp]|rtf|epub|html?|csv|tsv|jsonl?|ndjson|ya?ml|toml|xml|log)$/i;
const NOT_READ = 'is not a readable document below the characters folder';

/** Whether an entry stands for files, whether they exist or not. */
export function namesFile(entry: KnowledgeEntry): boolean {
  return typeof entry !== 'string' || PATH_LIKE.test(entry);
}

/** Whether a relative path leaves its folder, judged by its text only. */
export function leavesFolder(path: string): boolean {
  return isAbsolute(path) || /^([\\/~]|[a-z]:[\\/]|file:)/i.test(path) || path.split(/[\\/]/).includes('..');
}

/**
 * Finds what a character's knowledge names. A text that names a document below `folder` stands for that document; any other text is a fact.
 * Files outside `folder` are not found, not even through symbolic links.
 */
export async function findKnowledge(folder: string, entries: readonly KnowledgeEntry[]): Promise<Knowledge> {
  const facts: Fact[] = [];
  const files = new Map<string, KnowledgeFile>();
  const [unreadable, leftOut]: [string[], string[]] = [[], []];
  for (const entry of entries) {
    const paths = await documentPaths(folder, entry);
    if (paths === undefined) facts.push({ text: entryText(entry) });
    if (paths?.length === 0) {
      unreadable.push(plainPath(entryText(entry)));
      leftOut.push(`${entryText(entry)} has no file of a known format`);
    }
    for (const path of paths ?? []) {
      const file = await findDocument(folder, path);
      // A document that is named itself and by its folder is one document.
      if (file) files.set(file.path, files.get(file.path) ?? file);
      else {
        unreadable.push(plainPath(path));
        leftOut.push(`${path} ${NOT_READ}`);
      }
    }
  }
  return { facts, files: [...files.values()], unreadable, leftOut };
}

/** Paths of the documents that an entry names, relative to the folder; undefined for a fact. */
async function documentPaths(folder: string, entry: KnowledgeEntry): Promise<string[] | undefined> {
  if (typeof entry !== 'string') return 'path' in entry ? [entry.path] : filesBelow(folder, entry.directory);
  if (namesFile(entry)) return [entry];
  return isReadable(entry) && (await findDocument(folder, entry)) !== undefined ? [entry] : undefined;
}

async function filesBelow(folder: string, directory: string): Promise<string[]> {
  const real = await resolveInside(folder, directory);
  if (real === undefined) return [];
  try {
    const entries = await readdir(real, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.') && isReadable(entry.name));
    const paths = files.map((entry) => join(directory, relative(real, entry.parentPath), entry.name));
    return paths.sort((a, b) => a.localeCompare(b));
  } catch {
    return [];
  }
}

async function findDocument(folder: string, path: string): Promise<KnowledgeFile | undefined> {
  const realPath = await resolveInside(folder, path);
  if (realPath === undefined || !isReadable(realPath)) return undefined;
  const found = await stat(realPath).catch(() => undefined);
  return found?.isFile() ? { path: plainPath(path), realPath, size: found.size } : undefined;
}

/** Whether the name of a file is that of a document, as opposed to characters and settings, which hold secrets. */
function isReadable(path: string): boolean {
  const type = documentTypeOf(path);
  return type !== undefined && type !== 'application/json' && type !== 'text/x-source';
}

function plainPath(path: string): string {
  return normalize(path).split(sep).join('/');
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
