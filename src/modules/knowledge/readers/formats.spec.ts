// Tables, titles, columns and formulas of documents as they are read, and the report of what is lost.
import JSZip from 'jszip';
import { afterAll, describe, expect, it } from '@jest/globals';
import { docxOf, docxTable, pdfOf, placedPdf } from '../../../../test/support/documents.mjs';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { DocumentReader } from '../document-reader.js';
import { DOCX } from '../document-types.js';
import type { Loss } from '../knowledge.types.js';

const HTML = 'text/html';
const PDF = 'application/pdf';
const reader = new DocumentReader(new FakeClock());
afterAll(() => reader.onModuleDestroy());

/** The pieces of a document as text below their headings, and what is lost. */
async function read(content: string | Buffer, mediaType: string): Promise<{ pieces: string[]; losses: Loss[] }> {
  const losses: Loss[] = [];
  const pieces: string[] = [];
  const load = () => Promise.resolve(new Uint8Array(Buffer.from(content as string)));
  for await (const slice of reader.read({ load, mediaType, charset: null }, losses, new AbortController().signal)) {
    pieces.push(...slice.map(({ heading, text }) => (heading === '' ? text : `${heading}\n${text}`)));
  }
  return { pieces, losses };
}

describe('a table of a page keeps values below their headers', () => {
  it.each<[string, string, string]>([
    [
      'rows that a cell spans',
      '<tr><th>Tea<th>Cup<th>Price<tr><td rowspan=2>Sencha<td>small<td>3<tr><td>large<td>4',
      'Tea | Cup | Price\nSencha | small | 3\nSencha | large | 4',
    ],
    ['columns that a cell spans', '<tr><th>Tea<th>2023<th>2024<tr><td>Sencha<td colspan=2>3', 'Tea | 2023 | 2024\nSencha | 3 | 3'],
    [
      'headers of two rows',
      '<thead><tr><th rowspan=2>Tea<th colspan=2>Price<tr><th>net<th>gross</thead><tbody><tr><td>Sencha<td>3<td>4',
      'Tea | Price › net | Price › gross\nSencha | 3 | 4',
    ],
    ['a head without header cells', '<thead><tr><td>Tea<td>Price</thead><tr><td>Sencha<td>3', 'Tea | Price\nSencha | 3'],
    [
      'a cell that spans the rest of its group',
      '<tr><th>A<th>B<tbody><tr><td rowspan=0>x<td>1<tr><td>2<tbody><tr><td>y<td>3',
      'A | B\nx | 1\nx | 2\ny | 3',
    ],
    ['cells in both directions', '<tr><th>A<th>B<th>C<tr><td rowspan=2 colspan=2>x<td>1<tr><td>2', 'A | B | C\nx | x | 1\nx | x | 2'],
    ['an empty corner', '<tr><td><th>net<th>gross<tr><th>Sencha<td>3<td>4', ' | net | gross\nSencha | 3 | 4'],
    ['a row that divides it', '<tr><th>Tea<th>Price<tr><td colspan=2>Green teas<tr><td>Sencha<td>3', 'Tea | Price\nGreen teas\nSencha | 3'],
    ['rows without some cells', '<tr><th>A<th>B<tr><td>x', 'A | B\nx'],
    ['a caption', '<caption>Teas</caption><tr><th>A<th>B<tr><td>x<td>1', 'Teas\n\nA | B\nx | 1'],
    ['a list in a cell', '<tr><th>A<th>B<tr><td>x<td><ul><li>one<li>two</ul>', 'A | B\nx | one two'],
    ['a table in a cell', '<tr><th>A<th>B<tr><td>x<td><table><tr><td>in<td>1</table>', 'A | B\nx | in, 1'],
    ['numbers that are none', '<tr><th>A<th>B<tr><td rowspan=-1 colspan=x>x<td colspan="">1', 'A | B\nx | 1'],
  ])('with %s', async (_words, rows, expected) => {
    expect((await read(`<table>${rows}</table>`, HTML)).pieces).toEqual([expected]);
  });

  it('with spans of any size', async () => {
    const { pieces } = await read(
      `<table><tr><th>A<th>B<tr><td rowspan=1e9 colspan=1000000000>x<td>1${'<tr><td>y'.repeat(3000)}</table>`,
      HTML,
    );
    expect(pieces.join('\n').match(/y/g)).toHaveLength(3000);
    expect(pieces.join('').length).toBeLessThan(2_000_000);
  });

  it('unless it only lays out the page, whose headings stay', async () => {
    const { pieces } = await read('<table><tr><td><h2>Menu</h2>Tea<td><h2>Hours</h2>Nine</table>', HTML);
    expect(pieces).toEqual(['Menu\nTea', 'Hours\nNine']);
  });
});

describe('the title of a page is its first heading', () => {
  it.each<[string, string, string[]]>([
    ['with other headings', '<title>Acme teas</title><p>Hello.<h1>Green</h1><p>Fresh.', ['Acme teas\nHello.', 'Acme teas › Green\nFresh.']],
    ['which the page repeats', '<title>Green</title><h1>Green</h1><h2>Sencha</h2><p>Fresh.', ['Green › Sencha\nFresh.']],
    ['with the name of the site', '<title>Green teas | Acme</title><h1>Green teas</h1><p>Fresh.', ['Green teas | Acme\nFresh.']],
    ['of social networks', '<meta property="og:title" content="Teas &amp; more"><p>Fresh.', ['Teas & more\nFresh.']],
    ['and not that of a drawing', '<p>Fresh.<svg><title>Icon</title></svg>', ['Fresh.']],
  ])('%s', async (_words, page, expected) => {
    expect((await read(page, HTML)).pieces).toEqual(expected);
  });
});

it('a page tells what is not read of it, and reads formulas and descriptions', async () => {
  const { pieces, losses } = await read(
    `<p>See <img src=a alt="a red kettle"> and <img src=b><img src=c alt=""><img src=d width=1 height=1>.
     <p><math><mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><msup><mi>x</mi><mn>2</mn></msup></mfrac></math>
     <svg width=300><text>Sales</text><text>2024</text></svg><svg width=16></svg><svg viewBox="0 0 400 300"></svg>
     <iframe src=x></iframe><canvas></canvas><video></video><script>no()</script>`,
    HTML,
  );
  expect(pieces).toEqual(['See a red kettle and .\n\n(a + 1)/x^2 Sales 2024']);
  expect(losses).toEqual([
    { what: 'pictures', count: 1 },
    { what: 'drawings', count: 2 },
    { what: 'embedded pages', count: 1 },
    { what: 'recordings', count: 1 },
  ]);
});

describe('a Word document', () => {
  const paragraph = (inner: string): string => `<w:p>${inner}</w:p>`;
  const run = (text: string): string => `<w:r><w:t>${text}</w:t></w:r>`;

  it('keeps the values of merged cells below their headers', async () => {
    const cell = (text: string, properties = ''): string => `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(run(text))}</w:tc>`;
    const rows = [
      cell('Tea') + cell('Price', '<w:gridSpan w:val="2"/>'),
      cell('Sencha', '<w:vMerge w:val="restart"/>') + cell('small') + cell('3'),
      cell('', '<w:vMerge/>') + cell('large') + cell('4'),
    ];
    const { pieces } = await read(await docxOf(`<w:tbl>${rows.map((row) => `<w:tr>${row}</w:tr>`).join('')}</w:tbl>`), DOCX);
    expect(pieces).toEqual(['Tea | Price | Price\nSencha | small | 3\nSencha | large | 4']);
  });

  it('reads formulas and text boxes, and tells what is not read', async () => {
    const m = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';
    const formula = `<m:oMathPara ${m}><m:oMath><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup><m:r><m:t>=4</m:t></m:r></m:oMath></m:oMathPara>`;
    const box = `<w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="wps"><w:drawing><wps:txbx xmlns:wps="x"><w:txbxContent>${paragraph(run('In a box.'))}</w:txbxContent></wps:txbx></w:drawing></mc:Choice></mc:AlternateContent></w:r>`;
    const lost = `<w:del w:id="1"><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:commentReference w:id="0"/></w:r>`;
    const chart = `<w:r><w:drawing><c:chart xmlns:c="y"/></w:drawing></w:r>`;
    const { pieces, losses } = await read(
      await docxOf(
        paragraph(run('Solve') + formula) +
          paragraph(box) +
          paragraph(run('End.') + lost + chart) +
          docxTable([
            ['A', 'B'],
            ['1', '2'],
          ]),
      ),
      DOCX,
    );
    expect(pieces).toEqual(['Solve x^2 =4\n\nIn a box.\n\nEnd.\n\nA | B\n1 | 2']);
    expect(losses).toEqual([
      { what: 'comments', count: 1 },
      { what: 'tracked deletions', count: 1 },
      { what: 'charts', count: 1 },
    ]);
  });

  it('tells that headers and footers of pages are not read', async () => {
    const zip = await JSZip.loadAsync(await docxOf(['It is green.']));
    const part = (text: string): string => `<w:hdr xmlns:w="a">${paragraph(run(text))}</w:hdr>`;
    zip.file('word/header1.xml', part('Tea House Ltd.')).file('word/header2.xml', part(' ')).file('word/footer1.xml', part('Confidential'));
    const { pieces, losses } = await read(await zip.generateAsync({ type: 'nodebuffer' }), DOCX);
    expect(pieces).toEqual(['It is green.']);
    expect(losses).toEqual([{ what: 'page headers and footers', count: 2 }]);
  });

  it.each<[string, string, string]>([
    ['is headed by its title', 'Tea &amp; coffee', 'Tea & coffee\nIt is green.'],
    ['is not headed by the name of a file', 'Microsoft Word - tea.doc', 'It is green.'],
    ['is not headed by a title that says nothing', 'Untitled', 'It is green.'],
  ])('%s', async (_words, title, expected) => {
    const zip = await JSZip.loadAsync(await docxOf(['It is green.']));
    zip.file('docProps/core.xml', `<cp:coreProperties xmlns:cp="a" xmlns:dc="b"><dc:title>${title}</dc:title></cp:coreProperties>`);
    expect((await read(await zip.generateAsync({ type: 'nodebuffer' }), DOCX)).pieces).toEqual([expected]);
  });
});

describe('a page of a PDF', () => {
  const words = (name: string, count: number): string[] =>
    Array.from({ length: count }, (_, line) => `${name} line ${line} goes on for a while`);
  const column = (lines: string[], x: number, y = 700, leading = 14): [number, number, string][] =>
    lines.map((line, index) => [x, y - index * leading, line]);
  const across = (...columns: [number, number, string][][]): [number, number, string][] =>
    columns.flat().sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const textOf = async (placed: [number, number, string][]): Promise<string> => (await read(placedPdf(placed), PDF)).pieces.join('\n');

  it.each<[string, number[], number]>([
    ['two columns', [50, 310], 0],
    ['three columns', [40, 220, 400], 0],
    ['columns with lines at different heights', [50, 310], 5],
  ])('reads %s one after the other, below a heading', async (_words, places, offset) => {
    const columns = places.map((x, index) => column(words('abc'[index]!, 12), x, 700 - index * offset));
    const heading: [number, number, string] = [50, 740, 'This is a heading that is as wide as all of the columns of the page below it are'];
    const text = await textOf([heading, ...across(...columns)]);
    expect(text.match(/[abc] line \d+/g)).toEqual(
      places.flatMap((_, index) => words('abc'[index]!, 12).map((line) => line.split(' goes')[0])),
    );
    expect(text.indexOf('This is a heading')).toBe(0);
  });

  it('reads a table row by row, also above columns', async () => {
    const table = Array.from({ length: 8 }, (_, row): [number, number, string][] => [
      [50, 800 - row * 14, `Tea ${row}`],
      [200, 800 - row * 14, 'a cup of it'],
      [400, 800 - row * 14, `${row}.50`],
    ]).flat();
    const text = await textOf([...table, ...across(column(words('a', 12), 50, 640), column(words('b', 12), 310, 640))]);
    for (let row = 0; row < 8; row++) expect(text).toContain(`Tea ${row} a cup of it ${row}.50`);
    expect(text.match(/[ab] line \d+/g)?.slice(0, 12)).toEqual(words('a', 12).map((line) => line.split(' goes')[0]));
  });

  it('joins a sentence and a word that go on in the next column', async () => {
    const left = [...words('a', 11), 'and here the text is divi-'];
    const right = ['ded, and goes on in the other', ...words('b', 11)];
    expect(await textOf(across(column(left, 50), column(right, 310)))).toContain('the text is divided, and goes on in the other b line 0');
  });

  it('without text is counted', async () => {
    expect((await read(pdfOf([['Only this.'], ['']]), PDF)).losses).toEqual([{ what: 'pages without text', count: 1 }]);
  });
});
