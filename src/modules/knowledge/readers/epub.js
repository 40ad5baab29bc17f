// EPUB: the chapters in the order of the book, as HTML.
import { openArchive, resolved } from './archive.js';
import { DocumentFault } from './document-fault.js';
import { blocksOf } from './html.js';
import { parseXml, xmlText } from './xml.js';

const CHAPTER = /^(application\/xhtml\+xml|text\/html|text\/x-oeb1-document|application\/xml|text\/xml)$/i;
// Fonts are made unusable outside of the book; its text is not protected by that.
const OBFUSCATED_FONT = /^http:\/\/(www\.idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC)$/;
const EMPTY_ELEMENT =
  /<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)[\s/>])([a-z][\w:-]*)((?:\s+[\w:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*\/>/gi;

export async function read(bytes, limits, losses) {
  const archive = await openArchive(bytes, limits);
  await assertNotProtected(archive);
  const path = packageOf(await archive.xml('META-INF/container.xml'));
  if (path === undefined || !archive.has(path)) throw new Error('the package document is missing');
  const { about, chapters } = bookOf(await archive.xml(path));
  const blocks = about.length > 0 ? [{ kind: 'lines', lines: about }] : [];
  for (const href of chapters) {
    const chapter = href === undefined ? undefined : await archive.bytes(resolved(path, href));
    if (chapter === undefined) {
      losses.add('chapters');
      continue;
    }
    const html = xmlText(chapter).replaceAll(EMPTY_ELEMENT, '<$1$2></$1>');
    // A chapter without a heading does not belong to the one before.
    blocks.push({ kind: 'heading', level: 0, text: '' });
    for (const block of blocksOf(html, losses)) blocks.push(block);
  }
  return blocks;
}

async function assertNotProtected(archive) {
  parseXml(await archive.xml('META-INF/encryption.xml'), {
    open: (name, { Algorithm = '' }) => {
      if (name === 'EncryptionMethod' && !OBFUSCATED_FONT.test(Algorithm)) throw new DocumentFault('COPY_PROTECTED');
    },
  });
}

function packageOf(container) {
  let path;
  parseXml(container, {
    open: (name, attributes) => {
      if (name === 'rootfile') path ??= resolved('', attributes['full-path'] ?? '');
    },
  });
  return path;
}

/** What a package document says: title and authors, and the addresses of the chapters; undefined for one that is not listed. */
function bookOf(xml) {
  const about = { title: [], creator: [] };
  const items = new Map();
  const spine = [];
  let field;
  parseXml(xml, {
    open: (name, { id, href, idref, 'media-type': mediaType = '' }) => {
      if (name === 'item') items.set(id, { href, mediaType });
      else if (name === 'itemref') spine.push(idref);
      else if (Object.hasOwn(about, name)) about[(field = name)].push('');
    },
    text: (text) => {
      if (field !== undefined) about[field].push(`${about[field].pop()}${text}`);
    },
    close: (name) => {
      if (name === field) field = undefined;
    },
  });
  const clean = (texts) => texts.map((text) => text.replaceAll(/\s+/g, ' ').trim()).filter((text) => text !== '');
  const [titles, authors] = [clean(about.title), clean(about.creator)];
  return {
    about: [
      ...(titles.length > 0 ? [`Title: ${titles.join(', ')}`] : []),
      ...(authors.length > 0 ? [`Author: ${authors.join(', ')}`] : []),
    ],
    // Pictures may be chapters, too.
    chapters: spine.filter((id) => !items.has(id) || CHAPTER.test(items.get(id).mediaType)).map((id) => items.get(id)?.href),
  };
}
