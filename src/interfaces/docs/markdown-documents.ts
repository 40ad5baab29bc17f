import { markdownAddressOf, markdownAt, withAddresses } from '../../core/documents/index.js';
import { installedDocument } from './installed-documents.js';

/** For the server, not for readers. */
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
    const text = withAddresses(file, document.markdown.replaceAll(COMMENT, ''), markdownAddressOf);
    texts.set(name, text);
    return text;
  }
  return undefined;
}
