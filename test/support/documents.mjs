// Documents of the formats that agents read, made from their text.
import JSZip from 'jszip';

/**
 * A PDF in Helvetica.
 *
 * @param pages the lines of each page; a line that begins with "# " is a large one, an empty line a gap
 */
export function pdfOf(pages) {
  const objects = [];
  const add = (body) => objects.push(body);
  add('<< /Type /Catalog /Pages 2 0 R >>');
  add(`<< /Type /Pages /Kids [${pages.map((_, index) => `${4 + 2 * index} 0 R`).join(' ')}] /Count ${pages.length} >>`);
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
  for (const [index, lines] of pages.entries()) {
    add(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + 2 * index} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`);
    let y = 800;
    const drawn = lines.map((line) => {
      const size = line.startsWith('# ') ? 20 : 11;
      y -= size * 1.3;
      const text = line.replace(/^# /, '').replaceAll(/[\\()]/g, '\\$&');
      return text === '' ? '' : `BT /F1 ${size} Tf 1 0 0 1 50 ${y.toFixed(1)} Tm (${text}) Tj ET`;
    });
    const stream = drawn.join('\n');
    add(`<< /Length ${Buffer.byteLength(stream, 'latin1')} >>\nstream\n${stream}\nendstream`);
  }
  return assemble(objects.map((body) => Buffer.from(body, 'latin1')));
}

/**
 * A PDF of one page.
 *
 * @param placed texts with their places: `[x, y, text]`, in points from the lower left corner, in the order in which they are drawn
 */
export function placedPdf(placed) {
  const drawn = placed.map(([x, y, text]) => `BT /F1 10 Tf 1 0 0 1 ${x} ${y} Tm (${text.replaceAll(/[\\()]/g, '\\$&')}) Tj ET`).join('\n');
  return assemble(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>',
      `<< /Length ${Buffer.byteLength(drawn, 'latin1')} >>\nstream\n${drawn}\nendstream`,
    ].map((body) => Buffer.from(body, 'latin1')),
  );
}

/** A PDF file of numbered objects, the first of which is its catalogue. */
export function assemble(objects) {
  const parts = [Buffer.from('%PDF-1.4\n')];
  const offsets = [];
  let length = parts[0].length;
  objects.forEach((body, index) => {
    offsets.push(length);
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
    parts.push(part);
    length += part.length;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const head = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
  parts.push(Buffer.from(`${head}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`));
  return Buffer.concat(parts);
}

/**
 * A Word document.
 *
 * @param body the content of `w:body`; made of paragraphs when it is a list of texts, of which those
 *   beginning with "# " are headings; or the whole part as bytes
 */
export function docxOf(body) {
  const paragraph = (text) => {
    const style = text.startsWith('# ') ? '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>' : '';
    return `<w:p>${style}<w:r><w:t xml:space="preserve">${text.replace(/^# /, '')}</w:t></w:r></w:p>`;
  };
  const inner = Array.isArray(body) ? body.map(paragraph).join('') : body;
  const xml = Buffer.isBuffer(body) ? body : `${XML}<w:document xmlns:w="${WORD}"><w:body>${inner}</w:body></w:document>`;
  const zip = new JSZip();
  zip.file('[Content_Types].xml', CONTENT_TYPES);
  zip.file('_rels/.rels', relationships('officeDocument', 'word/document.xml'));
  zip.file('word/document.xml', xml);
  zip.file(
    'word/styles.xml',
    `${XML}<w:styles xmlns:w="${WORD}"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`,
  );
  zip.file('word/_rels/document.xml.rels', relationships('styles', 'styles.xml'));
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE', compressionOptions: { level: 1 } });
}

/** A table of a Word document. @param rows the texts of its cells */
export function docxTable(rows) {
  const cell = (text) => `<w:tc><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
  return `<w:tbl>${rows.map((cells) => `<w:tr>${cells.map(cell).join('')}</w:tr>`).join('')}</w:tbl>`;
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const OFFICE = 'http://schemas.openxmlformats.org';
const WORD = `${OFFICE}/wordprocessingml/2006/main`;
const CONTENT_TYPES = `${XML}<Types xmlns="${OFFICE}/package/2006/content-types">
  <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
  <Default Extension="xml" ContentType="application/xml"/>
  <Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>
</Types>`;
const relationships = (kind, target) => `${XML}<Relationships xmlns="${OFFICE}/package/2006/relationships">
  <Relationship Id="rId1" Type="${OFFICE}/officeDocument/2006/relationships/${kind}" Target="${target}"/></Relationships>`;
