import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addressOf, DOCUMENTS_ROOT, headingId, linkAddress } from '../../core/documents/index.js';
import { Marked, type Tokens } from 'marked';

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

const FOLDERS = [
  { title: 'Guides', folder: 'docs/guides' },
  { title: 'Reference', folder: 'docs/reference' },
] as const;
const SINGLE = ['README.md', 'characters/README.md', 'docs/architecture.md', 'docs/scale.md'];

/** Pages by file. Documents change with the version only. */
const pages = new Map<string, DocumentPage>();

/** A document of the package as a page; undefined when it is not installed. */
export async function documentPage(file: string): Promise<DocumentPage | undefined> {
  const known = pages.get(file);
  if (known !== undefined) return known;
  const markdown = await textOf(file);
  if (markdown === undefined) return undefined;
  const page = pageOf(titleOf(markdown) ?? file, await renderer(file).parse(markdown));
  pages.set(file, page);
  return page;
}

/** The list of all documents that are installed. */
export async function indexPage(): Promise<DocumentPage> {
  const known = pages.get('');
  if (known !== undefined) return known;
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
  const page = pageOf('Documentation', `<h1>Documentation</h1>${lists.join('')}`);
  pages.set('', page);
  return page;
}

async function listOf(title: string, files: readonly string[]): Promise<string> {
  const items = await Promise.all(
    files.map(async (file) => {
      const markdown = await textOf(file);
      return markdown === undefined ? '' : `<li><a href="${addressOf(file)}">${escaped(titleOf(markdown) ?? file)}</a></li>`;
    }),
  );
  return items.join('') === '' ? '' : `<h2>${title}</h2><ul>${items.join('')}</ul>`;
}

async function textOf(file: string): Promise<string | undefined> {
  return readFile(join(DOCUMENTS_ROOT, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

function titleOf(markdown: string): string | undefined {
  return /^# (.+)$/m.exec(markdown)?.[1];
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
  return { html, etag: `W/"${createHash('sha256').update(html).digest('base64url')}"` };
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
