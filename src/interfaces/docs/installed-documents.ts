import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DOCUMENTS_ROOT } from '../../core/documents/index.js';

/** A document of the package. */
export interface InstalledDocument {
  /** Relative to the root of the package. */
  readonly file: string;
  readonly title: string;
  readonly markdown: string;
}

export interface DocumentList {
  readonly title: string;
  readonly documents: readonly InstalledDocument[];
}

const SINGLE = ['README.md', 'characters/README.md', 'docs/architecture.md', 'docs/scale.md'];
const FOLDERS = [
  { title: 'Guides', folder: 'docs/guides' },
  { title: 'Protocols', folder: 'docs/guides/protocols' },
  { title: 'Reference', folder: 'docs/reference' },
] as const;

/** All documents that are installed, without empty lists. */
export async function installedDocuments(): Promise<DocumentList[]> {
  const lists = await Promise.all([
    listOf('Start', SINGLE),
    ...FOLDERS.map(async ({ title, folder }) => {
      const names = await readdir(join(DOCUMENTS_ROOT, folder)).catch(() => []);
      return listOf(
        title,
        names.filter((name) => name.endsWith('.md')).map((name) => `${folder}/${name}`),
      );
    }),
  ]);
  return lists.filter(({ documents }) => documents.length > 0);
}

/** A document by its file; undefined when it is not installed. */
export async function installedDocument(file: string): Promise<InstalledDocument | undefined> {
  try {
    const markdown = await readFile(join(DOCUMENTS_ROOT, file), 'utf8');
    return { file, title: /^# (.+)$/m.exec(markdown)?.[1] ?? file, markdown };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Entity tag of a text, quoted as in the header. */
export function entityTag(text: string): string {
  return `W/"${createHash('sha256').update(text).digest('base64url')}"`;
}

async function listOf(title: string, files: readonly string[]): Promise<DocumentList> {
  const documents = await Promise.all(files.map(installedDocument));
  return { title, documents: documents.filter((document) => document !== undefined) };
}
