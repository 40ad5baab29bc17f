// DOCX: Word documents become HTML, which html.js reads. What the library would drop is put in its place before, or counted.
import { parseDocument } from 'htmlparser2';
import JSZip from 'jszip';
import mammoth from 'mammoth';
import { openArchive } from './archive.js';
import { formulaText } from './formulas.js';
import { blocksOf } from './html.js';
import { isTitle, titled } from './titles.js';

const PAGE_EDGES = /^word\/(?:header|footer)\d*\.xml$/;
const HAS_TEXT = /<w:t(?:\s[^>]{0,100})?>[^<]*[^<\s]/;
/** Parts with text that the library reads. */
const TEXTS = /^word\/(document\d*|footnotes|endnotes)\.xml$/;
/** What is lost, by the elements that stand for it. */
const LOST = [
  ['comments', /<w:commentReference[\s/>]/g],
  ['tracked deletions', /<w:delText[\s>]/g],
  ['charts', /<(?:c|cx):chart[\s/>]/g],
  ['diagrams', /<dgm:relIds[\s/>]/g],
  ['embedded objects', /<o:OLEObject[\s/>]/g],
];

export async function read(bytes, limits, losses) {
  // The library expands parts without a limit.
  await (await openArchive(bytes, limits)).assertExpands();
  const zip = await JSZip.loadAsync(bytes);
  for (const entry of zip.file(TEXTS)) {
    const xml = await entry.async('string');
    for (const [what, element] of LOST) losses.add(what, xml.match(element)?.length ?? 0);
    const kept = withFormulas(withTextBoxes(xml));
    if (kept !== xml) zip.file(entry.name, kept);
  }
  for (const entry of zip.file(PAGE_EDGES)) if (HAS_TEXT.test(await entry.async('string'))) losses.add('page headers and footers');
  const buffer = await zip.generateAsync({ type: 'nodebuffer', compression: 'STORE' });
  const { value } = await mammoth.convertToHtml({ buffer }, { convertImage: mammoth.images.imgElement(() => ({ src: '' })) });
  return titled(await titleOf(zip), blocksOf(value, losses, { headedByFirstRow: true }));
}

/** Text boxes of the current format, as those of the former one that the library reads. */
function withTextBoxes(xml) {
  return replaced(xml, /<mc:AlternateContent[\s>]/g, '</mc:AlternateContent>', (content) => {
    const box = partOf(content, '<w:txbxContent', '</w:txbxContent>');
    if (box === undefined || content.includes('<v:textbox')) return content;
    return `<w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textbox>${box}</v:textbox></v:shape></w:pict>`;
  });
}

/** Formulas as text. The library drops what it does not know with all that is in it, so the paragraphs of formulas are opened. */
function withFormulas(xml) {
  return replaced(xml, /<m:oMath[\s>]/g, '</m:oMath>', (formula) => {
    const text = formulaText(formula).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    return `<w:r><w:t xml:space="preserve"> ${text} </w:t></w:r>`;
  }).replaceAll(/<\/?m:oMathPara(?:\s[^>]{0,500})?>/g, '');
}

/** Replaces each part from `open` to `close`. */
function replaced(xml, open, close, make) {
  let result = '';
  let from = 0;
  for (let found = open.exec(xml); found !== null; found = open.exec(xml)) {
    const end = xml.indexOf(close, found.index);
    if (end === -1) break;
    result += xml.slice(from, found.index) + make(xml.slice(found.index, end + close.length));
    from = end + close.length;
    open.lastIndex = from;
  }
  return result + xml.slice(from);
}

function partOf(xml, open, close) {
  const from = xml.indexOf(open);
  const to = xml.lastIndexOf(close);
  return from === -1 || to < from ? undefined : xml.slice(from, to + close.length);
}

/** The title that the file states. */
async function titleOf(zip) {
  const xml = (await zip.file('docProps/core.xml')?.async('string')) ?? '';
  const title = parseDocument(partOf(xml, '<dc:title', '</dc:title>') ?? '', { xmlMode: true }).children[0]?.children?.[0]?.data ?? '';
  return isTitle(title) ? title.replaceAll(/\s+/g, ' ').trim() : '';
}
