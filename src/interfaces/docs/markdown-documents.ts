import { markdownAddressOf, markdownAt, withAddresses } from '../../core/documents/index.js';
import { installedDocument, type InstalledDocument } from './installed-documents.js';

/** Fenced code, which has brackets of its own, and comments, which are for the server. */
const CODE = /^( *```[^]*?^ *```$)/m;
const COMMENT = /^<!--[^]*?-->\n+/gm;

/** Documents change with the version only. */
const texts = new Map<string, string>();

/**
 * A document as Markdown, whose links open on this server.
 *
 * @param name behind `/docs/`, such as `faq.md`
 * @returns undefined when no such document is installed
 */
export async function markdownDocument(name: string): Promise<string | undefined> {
  const known = texts.get(name);
  if (known !== undefined) return known;
  for (const file of markdownAt(name)) {
    const document = await installedDocument(file);
    if (document === undefined) continue;
    const text = servedText(document);
    texts.set(name, text);
    return text;
  }
  return undefined;
}

function servedText({ file, markdown }: InstalledDocument): string {
  return markdown
    .split(CODE)
    .map((part, index) => (index % 2 === 1 ? part : withAddresses(file, part.replaceAll(COMMENT, ''), markdownAddressOf)))
    .join('');
}
