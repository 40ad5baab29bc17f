// A file of each kind that agents read, beyond those of documents.mjs.
import JSZip from 'jszip';

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const OFFICE = 'http://schemas.openxmlformats.org';
const RELATIONS = `${OFFICE}/officeDocument/2006/relationships`;

/**
 * A ZIP archive.
 *
 * @param parts texts or bytes by their paths; the first one is not compressed when it is called "mimetype"
 */
export function zipOf(parts) {
  const zip = new JSZip();
  for (const [path, content] of Object.entries(parts)) zip.file(path, content, path === 'mimetype' ? { compression: 'STORE' } : {});
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}

/** Relationships by their ids, as `[type, target]`. */
function relations(entries) {
  const each = Object.entries(entries).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
  );
  return `${XML}<Relationships xmlns="${OFFICE}/package/2006/relationships">${each.join('')}</Relationships>`;
}

function contentTypes(main, type) {
  return `${XML}<Types xmlns="${OFFICE}/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${main}" ContentType="${type}.main+xml"/></Types>`;
}

/**
 * An Excel workbook.
 *
 * @param sheets the content of each `worksheet`, by name
 * @param options.strings the shared strings as XML within `si`; `formats` the number formats of styles 1, 2, …; `more` further parts
 */
export function xlsxOf(sheets, { strings = [], formats = [], properties = '', more = {} } = {}) {
  const names = Object.keys(sheets);
  const main = `${OFFICE}/spreadsheetml/2006/main`;
  return zipOf({
    '[Content_Types].xml': contentTypes('xl/workbook.xml', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'),
    '_rels/.rels': relations({ r1: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/workbook.xml': `${XML}<workbook xmlns="${main}" xmlns:r="${RELATIONS}">${properties}<sheets>${names
      .map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="s${index + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations({
      ...Object.fromEntries(names.map((_, index) => [`s${index + 1}`, ['worksheet', `worksheets/sheet${index + 1}.xml`]])),
      strings: ['sharedStrings', 'sharedStrings.xml'],
      styles: ['styles', '/xl/styles.xml'],
    }),
    'xl/sharedStrings.xml': `${XML}<sst xmlns="${main}">${strings.map((string) => `<si>${string}</si>`).join('')}</sst>`,
    'xl/styles.xml': `${XML}<styleSheet xmlns="${main}"><numFmts>${formats
      .map((code, index) => `<numFmt numFmtId="${200 + index}" formatCode="${code}"/>`)
      .join('')}</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats
      .map((_, index) => `<xf numFmtId="${200 + index}"/>`)
      .join('')}</cellXfs></styleSheet>`,
    ...Object.fromEntries(
      names.map((name, index) => [`xl/worksheets/sheet${index + 1}.xml`, `${XML}<worksheet xmlns="${main}">${sheets[name]}</worksheet>`]),
    ),
    ...more,
  });
}

/** A row of a sheet from its cells: numbers, texts, or XML of a `c` without its place. */
export function xlsxRow(number, cells) {
  const each = cells.map((cell, index) => {
    const ref = `r="${String.fromCharCode(65 + index)}${number}"`;
    if (typeof cell === 'number') return `<c ${ref}><v>${cell}</v></c>`;
    return cell.startsWith('<c') ? cell.replace('<c', `<c ${ref}`) : `<c ${ref} t="inlineStr"><is><t>${cell}</t></is></c>`;
  });
  return `<row r="${number}">${each.join('')}</row>`;
}

/** A PowerPoint presentation. @param slides the shapes of each, in order; files are numbered backwards */
export function pptxOf(slides, more = {}) {
  const file = (index) => `slide${slides.length - index}.xml`;
  const spaces = `xmlns:p="${OFFICE}/presentationml/2006/main" xmlns:a="${OFFICE}/drawingml/2006/main" xmlns:r="${RELATIONS}"`;
  return zipOf({
    '[Content_Types].xml': contentTypes(
      'ppt/presentation.xml',
      'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    ),
    '_rels/.rels': relations({ r1: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/presentation.xml': `${XML}<p:presentation ${spaces}><p:sldIdLst>${slides
      .map((_, index) => `<p:sldId id="${256 + index}" r:id="r${index}"/>`)
      .join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      Object.fromEntries(slides.map((_, index) => [`r${index}`, ['slide', `slides/${file(index)}`]])),
    ),
    ...Object.fromEntries(
      slides.map((shapes, index) => [
        `ppt/slides/${file(index)}`,
        `${XML}<p:sld ${spaces}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
      ]),
    ),
    ...more,
  });
}

/** A shape of a slide with paragraphs. @param kind the type of its placeholder */
export function pptxShape(paragraphs, kind = 'body') {
  const text = paragraphs.map((each) => `<a:p><a:r><a:t>${each}</a:t></a:r></a:p>`).join('');
  return `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${kind}"/></p:nvPr></p:nvSpPr><p:txBody>${text}</p:txBody></p:sp>`;
}

/** Parts that give the first of two slides speaker notes. */
export const pptxNotes = (text) => ({
  'ppt/slides/_rels/slide2.xml.rels': relations({ n: ['notesSlide', '../notesSlides/notesSlide1.xml'] }),
  'ppt/notesSlides/notesSlide1.xml': `<p:notes xmlns:p="p" xmlns:a="a">${pptxShape([text])}${pptxShape(['1'], 'sldNum')}</p:notes>`,
});

const SPACES = ['office', 'text', 'table', 'draw', 'presentation']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ');

/** An OpenDocument file. @param kind "text", "spreadsheet" or "presentation" */
export function odfOf(kind, body, { manifest = '' } = {}) {
  return zipOf({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `${XML}<office:document-content ${SPACES} xmlns:xlink="xlink"><office:automatic-styles><s>No</s></office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    'META-INF/manifest.xml': `${XML}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">${manifest}</manifest:manifest>`,
  });
}

/** A book. @param chapters HTML by file name, in the reverse of the order of the book */
export function epubOf(chapters, { more = {}, items = '' } = {}) {
  const names = Object.keys(chapters);
  return zipOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': `${XML}<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`,
    'OEBPS/book.opf': `${XML}<package xmlns:dc="dc"><metadata><dc:title>The Tea Book</dc:title><dc:creator>Ada</dc:creator></metadata><manifest>${names
      .map((name, index) => `<item id="i${index}" href="${encodeURIComponent(name)}" media-type="application/xhtml+xml"/>`)
      .join('')}${items}</manifest><spine>${names
      .map((_, index) => `<itemref idref="i${index}"/>`)
      .reverse()
      .join('')}<itemref idref="none"/></spine></package>`,
    ...Object.fromEntries(names.map((name) => [`OEBPS/${name}`, chapters[name]])),
    ...more,
  });
}
