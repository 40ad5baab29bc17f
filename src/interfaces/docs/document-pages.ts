import { createHash } from 'node:crypto';
import { addressOf, headingId, linkAddress } from '../../core/documents/index.js';
import { Marked, type Tokens } from 'marked';
import { entityTag, installedDocument, installedDocuments } from './installed-documents.js';

export interface DocumentPage {
  readonly html: string;
  /** Entity tag, quoted as in the header. */
  readonly etag: string;
}

const STYLE = `
:root { color-scheme: light dark; }
body { max-width: 46rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: break-word; }
nav { padding-block: .5rem; border-bottom: 1px solid #8884; }
h1, h2, h3 { line-height: 1.25; }
pre { padding: .75rem 1rem; overflow-x: auto; background: #8882; border-radius: .5rem; }
code { font: .875em/1.5 ui-monospace, monospace; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { padding: .35rem .6rem; border: 1px solid #8884; text-align: start; vertical-align: top; }
`;

/** Nothing runs on these pages, and nothing is loaded. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Pages by file. Documents change with the version only. */
const pages = new Map<string, DocumentPage>();

/** A document of the package as a page; undefined when it is not installed. */
export async function documentPage(file: string): Promise<DocumentPage | undefined> {
  const known = pages.get(file);
  if (known !== undefined) return known;
  const document = await installedDocument(file);
  if (document === undefined) return undefined;
  const page = pageOf(document.title, await renderer(file).parse(document.markdown));
  pages.set(file, page);
  return page;
}

/** The list of all documents that are installed. */
export async function indexPage(): Promise<DocumentPage> {
  const known = pages.get('');
  if (known !== undefined) return known;
  const lists = (await installedDocuments()).map(({ title, documents }) => {
    const items = documents.map((document) => `<li><a href="${addressOf(document.file)}">${escaped(document.title)}</a></li>`);
    return `<h2>${title}</h2><ul>${items.join('')}</ul>`;
  });
  const page = pageOf('Documentation', `<h1>Documentation</h1>${lists.join('')}`);
  pages.set('', page);
  return page;
}

function renderer(file: string): Marked {
  return new Marked({
    gfm: true,
    async: false,
    renderer: {
      // Comments stay out, and documents have no other HTML.
      html: () => '',
      image: ({ text }) => escaped(text),
      heading({ tokens, depth, text }: Tokens.Heading): string {
        return `<h${depth} id="${escaped(headingId(text))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        const text = this.parser.parseInline(tokens);
        const address = linkAddress(file, href);
        return address === undefined ? text : `<a href="${escaped(address)}">${text}</a>`;
      },
    },
  });
}

function pageOf(title: string, content: string): DocumentPage {
  const html =
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<title>${escaped(title)} – Parley</title><style>${STYLE}</style></head>\n` +
    `<body><nav aria-label="Parley"><a href="/docs">Documentation</a> · <a href="/">Console</a></nav>\n<main>${content}</main></body></html>\n`;
  return { html, etag: entityTag(html) };
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
