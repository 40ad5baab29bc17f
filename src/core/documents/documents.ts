import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the package, which holds the documents. */
export const DOCUMENTS_ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Documents of the package, relative to its root; other Markdown files are for those who change Parley, and are not part of it. */
const DOCUMENT =
  /^(?:README\.md|characters\/README\.md|docs\/(?:architecture|scale)\.md|docs\/(?:guides\/protocols|guides|reference)\/[\w-][\w.-]{0,99}\.md)$/;
const CHARACTERS = 'characters/README.md';
const OUTWARD = /^(?:https?:|mailto:)/i;
/** Read at the server, not as a file. */
const SERVED: ReadonlyMap<string, string> = new Map([['docs/reference/openapi.json', '/api/openapi.json']]);
const LINK = /(!?)\[([^[\]]{1,500})\]\(([^()\s]{1,500})\)/g;

/** Whether a path, relative to the root of the package, is that of a document that the server shows. */
function isDocument(file: string): boolean {
  return DOCUMENT.test(file);
}

/**
 * The address of a document as a page: `docs/guides/faq.md` is at `/docs/guides/faq.md`, `README.md` at `/docs/README`. Directly below `/docs`,
 * an address that ends in `.md` is that of Markdown.
 */
export function addressOf(file: string, heading = ''): string {
  const path = file.replace(/^docs\//, '');
  return `/docs/${path.includes('/') ? path : path.replace(/\.md$/, '')}${heading === '' ? '' : `#${headingId(heading)}`}`;
}

/** The document whose page is at an address below `/docs/`, with or without `.md`; undefined when there is none. */
export function documentAt(path: string): string | undefined {
  const file = path.endsWith('.md') ? path : `${path.replace(/\/+$/, '')}.md`;
  return [file, `docs/${file}`].find(isDocument);
}

/** The address of a document as Markdown: `docs/guides/faq.md` is at `/docs/faq.md`. */
export function markdownAddressOf(file: string): string {
  return `/docs/${file === CHARACTERS ? 'characters.md' : posix.basename(file)}`;
}

/** The documents that may be at an address of Markdown, by the name behind `/docs/`; the first that is installed is. */
export function markdownAt(name: string): string[] {
  if (name.includes('/')) return [];
  if (name === 'characters.md') return [CHARACTERS];
  return [`docs/guides/${name}`, `docs/guides/protocols/${name}`, `docs/reference/${name}`, `docs/${name}`, name].filter(isDocument);
}

/** The id of a heading, as links in Markdown name it. */
export function headingId(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

/**
 * Where a link of a document leads on this server; undefined when it leads to a file that the package does not have.
 *
 * @param address of another document
 */
export function linkAddress(file: string, target: string, address: (file: string) => string = addressOf): string | undefined {
  if (OUTWARD.test(target) || target.startsWith('/')) return target;
  const [path = '', fragment] = target.split('#', 2);
  const named = path === '' ? file : posix.normalize(posix.join(posix.dirname(file), path));
  const found = SERVED.get(named) ?? (isDocument(named) ? address(named) : undefined);
  return found === undefined ? undefined : `${found}${fragment === undefined ? '' : `#${fragment}`}`;
}

/** A text of a document with links that open at this server, other documents at `address`; what leads nowhere becomes its text. */
export function withAddresses(file: string, markdown: string, address?: (file: string) => string): string {
  return markdown.replaceAll(LINK, (_, picture: string, text: string, target: string) => {
    const found = picture === '' ? linkAddress(file, target, address) : undefined;
    return found === undefined ? text : `[${text}](${found})`;
  });
}
