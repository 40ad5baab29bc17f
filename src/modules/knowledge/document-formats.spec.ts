// Files of the formats that are neither text, Markdown, HTML, PDF nor DOCX: what is read from good and from broken ones.
import { afterAll, describe, expect, it } from '@jest/globals';
import { epubOf, odfOf, pptxNotes, pptxOf, pptxShape, xlsxOf, xlsxRow as row, zipOf } from '../../../test/support/document-samples.mjs';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { DocumentReader } from './document-reader.js';
import type { Loss, Piece } from './knowledge.types.js';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const PPTX = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
const [ODT, ODS, ODP] = ['text', 'spreadsheet', 'presentation'].map((kind) => `application/vnd.oasis.opendocument.${kind}`) as [
  string,
  string,
  string,
];
const EPUB = 'application/epub+zip';
const RTF = 'application/rtf';
const CSV = 'text/csv';
const JSON_TYPE = 'application/json';
const SOURCE = 'text/x-source';

const reader = new DocumentReader(new FakeClock());
const never = new AbortController().signal;
afterAll(() => reader.onModuleDestroy());

async function read(content: string | Buffer, mediaType: string): Promise<{ pieces: Piece[]; losses: Loss[] }> {
  const pieces: Piece[] = [];
  const losses: Loss[] = [];
  const load = () => Promise.resolve(new Uint8Array(Buffer.from(content as string)));
  for await (const slice of reader.read({ load, mediaType, charset: null }, losses, never)) pieces.push(...slice);
  return { pieces, losses };
}

const textOf = async (content: string | Buffer, mediaType: string): Promise<string> =>
  (await read(content, mediaType)).pieces.map(({ heading, text }) => (heading === '' ? text : `[${heading}] ${text}`)).join('\n\n');
const sheet = (rows: string, rest = ''): string => `<sheetData>${rows}</sheetData>${rest}`;
const merged = (...refs: string[]): string => `<mergeCells>${refs.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`;

describe('separated values', () => {
  it.each<[string, string, string]>([
    ['commas, quotes and line ends in values', 'a,b,c\n1,"x\n""y""",3\n4,5\n', 'a | b | c\n1 | x "y" | 3\n4 | 5 | '],
    [
      'semicolons beside commas in numbers',
      'name;price\nSencha;1,5\n"Assam; black";2,5\n',
      'name | price\nSencha | 1,5\nAssam; black | 2,5',
    ],
    [
      'tabs, a byte order mark and a title',
      '\uFEFFPrices of 2026\r\n\r\nname\tprice\r\nSencha\t3\r\n',
      'Prices of 2026\n\nname | price\nSencha | 3',
    ],
    ['the delimiter that Excel names', 'sep=|\na|b\n1|2\n', 'a | b\n1 | 2'],
    ['no header', '1,2,3\n4,5,6\n', '1 | 2 | 3\n4 | 5 | 6'],
    ['years as names', 'Region,2024,2025\nNorth,5,6\n', 'Region | 2024 | 2025\nNorth | 5 | 6'],
    ['rows that are longer than the header', 'a,b\n1,2,3\n', 'a | b | \n1 | 2 | 3'],
    ['a quotation mark without its end', 'name,quote\n"broken,x\nnext,y\n', 'name | quote\n"broken | x\nnext | y'],
    ['one column', 'milk\ntea\n', 'milk\ntea'],
  ])('with %s', async (_words, content, expected) => {
    expect(await textOf(content, CSV)).toBe(expected);
  });

  it('name the values of each row when there are many columns', async () => {
    const names = Array.from({ length: 14 }, (_, index) => `column ${index}`);
    const values = names.map((_, index) => (index === 3 || index === 9 ? `value ${index}` : ''));
    expect(await textOf(`${names.join()}\n${values.join()}\n`, CSV)).toBe('column 3: value 3 | column 9: value 9');
  });
});

describe('a workbook', () => {
  it('is read sheet by sheet, with titles, headers and values as they are shown', async () => {
    const prices = sheet(
      row(1, ['<c t="s"><v>0</v></c>']) +
        row(3, ['Name', 'Price', 'Since', 'Share', 'Code', 'Sold']) +
        row(4, [
          '<c t="s"><v>1</v></c>',
          '<c s="1"><v>3.5</v></c>',
          '<c s="2"><v>45000</v></c>',
          '<c s="3"><v>0.125</v></c>',
          '<c s="4"><v>42</v></c>',
          '<c t="b"><v>1</v></c>',
        ]) +
        row(5, [
          'Assam',
          '<c s="1"><f>B4*2</f><v>7</v></c>',
          '<c s="5"><v>45000.5</v></c>',
          '<c t="str"><f>A1</f><v>half</v></c>',
          '<c t="e"><v>#N/A</v></c>',
          '',
        ]),
      merged('A1:F1'),
    );
    const file = await xlsxOf(
      { Prices: prices, Empty: sheet(''), More: sheet(row(1, ['One', 'note'])) },
      {
        strings: ['<t>Price list</t>', '<r><t>Sen</t></r><r><t>cha</t></r><rPh><t>no</t></rPh>'],
        formats: ['0.00 &quot;€&quot;', 'dd/mm/yyyy', '0.0%', '00000', 'd.m.yy h:mm'],
      },
    );
    expect((await read(file, XLSX)).pieces).toEqual([
      {
        heading: 'Prices',
        text: 'Price list\n\nName | Price | Since | Share | Code | Sold\nSencha | 3.50 € | 2023-03-15 | 12.5% | 00042 | TRUE\nAssam | 7.00 € | 2023-03-15 12:00 | half | #N/A | ',
        page: null,
      },
      { heading: 'More', text: 'One | note', page: null },
    ]);
  });

  it('has the value of a merged cell in each cell that it spans', async () => {
    const rows =
      row(1, ['Region', 'Q1', '', 'Q2', '']) +
      row(2, ['', 'Sold', 'Back', 'Sold', 'Back']) +
      row(3, ['North', 1, 2, 3, 4]) +
      row(4, ['', 5, 6, 7, 8]);
    const file = await xlsxOf({ A: sheet(rows, merged('B1:C1', 'D1:E1', 'A1:A2', 'A3:A4', 'A10:XFD1048576')) });
    expect(await textOf(file, XLSX)).toBe(
      '[A] Region | Q1 Sold | Q1 Back | Q2 Sold | Q2 Back\nNorth | 1 | 2 | 3 | 4\nNorth | 5 | 6 | 7 | 8',
    );
  });

  it('counts days from 1904 if it says so', async () => {
    const file = await xlsxOf(
      { A: sheet(row(1, ['<c s="1"><v>0</v></c>', 'x'])) },
      { formats: ['yyyy-mm-dd'], properties: '<workbookPr date1904="1"/>' },
    );
    expect(await textOf(file, XLSX)).toBe('[A] 1904-01-01 | x');
  });

  it('of which values lie far apart takes no longer for that', async () => {
    const far = '<row r="1048576"><c r="XFD1048576"><v>9</v></c></row>';
    expect(await textOf(await xlsxOf({ A: sheet(row(1, ['Near', 'by']) + far, merged('A1:XFD1048576')) }), XLSX)).toContain('9');
  });

  it('tells what is lost', async () => {
    const rows = row(1, ['a', 'b']) + row(2, ['<c><f>SUM(1)</f></c>', 1]);
    const file = await xlsxOf(
      { A: sheet(rows) },
      { more: { 'xl/media/a.png': 'x', 'xl/charts/chart1.xml': 'x', 'xl/comments1.xml': 'x' } },
    );
    const { pieces, losses } = await read(file, XLSX);
    expect(pieces[0]?.text).toBe('a | b\n=SUM(1) | 1');
    expect(losses).toEqual([
      { what: 'values of formulas', count: 1 },
      { what: 'pictures', count: 1 },
      { what: 'charts', count: 1 },
      { what: 'comments', count: 1 },
    ]);
  });
});

describe('a presentation', () => {
  it('is read slide by slide, in their order, with groups, tables and notes', async () => {
    const cell = (text: string, attributes = ''): string =>
      `<a:tc ${attributes}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
    const table = `<a:tbl><a:tr>${cell('Name')}${cell('Size', 'gridSpan="2"')}${cell('', 'hMerge="1"')}</a:tr><a:tr>${cell('Tea')}${cell('2')}${cell('3')}</a:tr></a:tbl>`;
    const graphic = (uri: string, inner = ''): string =>
      `<p:graphicFrame><a:graphic><a:graphicData uri="${uri}">${inner}</a:graphicData></a:graphic></p:graphicFrame>`;
    const first = `${pptxShape(['Tea &amp; more'], 'title')}${pptxShape(['Green', 'Black'])}${pptxShape(['7'], 'sldNum')}<p:pic/>`;
    const second = `<p:grpSp>${pptxShape(['In a group'])}</p:grpSp>${graphic('x/table', table)}${graphic('x/chart')}`;
    const { pieces, losses } = await read(await pptxOf([first, second], pptxNotes('Say hello')), PPTX);
    expect(pieces).toEqual([
      { heading: 'Tea & more', text: 'Green\nBlack\n\nSpeaker notes: Say hello', page: null },
      { heading: 'Slide 2', text: 'In a group\n\nName | Size | Size\nTea | 2 | 3', page: null },
    ]);
    expect(losses).toEqual([
      { what: 'pictures', count: 1 },
      { what: 'charts', count: 1 },
    ]);
  });
});

describe('an OpenDocument file', () => {
  const p = (text: string): string => `<text:p>${text}</text:p>`;
  const cell = (text: string, attributes = ''): string =>
    `<table:table-cell ${attributes}>${text === '' ? '' : p(text)}</table:table-cell>`;
  const covered = '<table:covered-table-cell/>';
  const rowOf = (...cells: string[]): string => `<table:table-row>${cells.join('')}</table:table-row>`;

  it('of text has headings, lists, tables and notes, without deleted passages', async () => {
    const note = `<text:note><text:note-citation>1</text:note-citation><text:note-body>${p('Mostly.')}</text:note-body></text:note>`;
    const list = `<text:list><text:list-item>${p('One')}<text:list><text:list-item>${p('Two')}</text:list-item></text:list></text:list-item></text:list>`;
    const table = `<table:table>${rowOf(cell('Name', 'table:number-columns-spanned="2"'), covered, cell('Price'))}${rowOf(
      cell('Tea', 'table:number-rows-spanned="2"'),
      cell('a'),
      cell('3'),
    )}${rowOf(covered, cell('b'), cell('4'))}</table:table>`;
    const { pieces, losses } = await read(
      await odfOf(
        'text',
        `<text:tracked-changes><text:changed-region><text:deletion>${p('gone')}</text:deletion></text:changed-region></text:tracked-changes>` +
          `<text:h text:outline-level="1">Tea</text:h>${p(`It is<text:s text:c="3"/>green${note}, and good.`)}${list}${table}` +
          p('End<draw:frame><draw:image xlink:href="x"/></draw:frame><office:annotation><text:p>no</text:p></office:annotation>'),
      ),
      ODT,
    );
    expect(pieces).toEqual([
      {
        heading: 'Tea',
        text: 'It is green[1], and good.\n\n- One\n  - Two\n\nName | Name | Price\nTea | a | 3\nTea | b | 4\n\nEnd\n\n[1] Mostly.',
        page: null,
      },
    ]);
    expect(losses.map(({ what }) => what).sort()).toEqual(['comments', 'pictures', 'tracked deletions']);
  });

  it('of tables has each sheet, with dates, repeated cells, and rows that do not end', async () => {
    const rows =
      rowOf(cell('Name'), cell('Since'), cell('', 'table:number-columns-repeated="16382"')) +
      rowOf(cell('Tea'), cell('29/11/26', 'office:value-type="date" office:date-value="2026-11-29"')) +
      rowOf(cell('Milk', 'table:number-columns-repeated="2"')) +
      '<table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>';
    expect(await textOf(await odfOf('spreadsheet', `<table:table table:name="A">${rows}</table:table>`), ODS)).toBe(
      '[A] Name | Since\nTea | 2026-11-29\nMilk | Milk',
    );
  });

  it('of slides has titles and notes', async () => {
    const frame = (text: string, kind = ''): string => `<draw:frame ${kind}><draw:text-box>${p(text)}</draw:text-box></draw:frame>`;
    const notes = `<presentation:notes>${frame('Say it')}</presentation:notes>`;
    const body = `<draw:page>${frame('Hello', 'presentation:class="title"')}${frame('World')}${notes}</draw:page><draw:page>${frame('Second')}</draw:page>`;
    expect(await textOf(await odfOf('presentation', body), ODP)).toBe('[Hello] World\n\nSpeaker notes: Say it\n\n[Slide 2] Second');
  });
});

describe('a book', () => {
  it('is read in the order of its chapters, after its title and author', async () => {
    const { pieces, losses } = await read(
      await epubOf({
        'two ü.xhtml':
          '<html><head><title/><script/></head><body><a id="x"/><h1>Second</h1><p>It &amp; ends.</p><img src="x"/></body></html>',
        'one.xhtml': '<html><body><p>It begins without a heading.</p></body></html>',
      }),
      EPUB,
    );
    expect(pieces).toEqual([
      { heading: '', text: 'Title: The Tea Book\nAuthor: Ada', page: null },
      { heading: '', text: 'It begins without a heading.', page: null },
      { heading: 'Second', text: 'It & ends.', page: null },
    ]);
    expect(losses).toEqual([
      { what: 'pictures', count: 1 },
      { what: 'chapters', count: 1 },
    ]);
  });
});

describe('RTF', () => {
  const FONTS = String.raw`{\fonttbl{\f0\fnil\fcharset0 Arial;}{\f1\fnil\fcharset204 Times;}{\f2\fcharset128 Mincho;}}`;

  it.each<[string, string, string]>([
    ['Western characters', String.raw`5 \'80, \ldblquote caf\'e9\rdblquote\~\emdash`, '5 €, “café” —'],
    ['the character sets of its fonts', String.raw`{\f1 \'cf\'f0\'e8\'e2\'e5\'f2} {\f2\'83\'41\'83A}`, 'Привет アア'],
    ['Unicode with and without what stands for it', String.raw`\u8364 ?\u8364\'80 {\uc2\u1055 ??\uc0\u1056}{\u-10179?\u-9145?}`, '€€ ПР👇'],
    [
      'headings by style and by level',
      String.raw`{\stylesheet{\s3 heading 2;}}\pard\s3 Tea\par\pard\outlinelevel0 Milk\par\pard White\par`,
      '[Milk] White',
    ],
    [
      'tables',
      String.raw`\trowd\pard\intbl Name\cell Price\cell\row\pard\intbl Tea\par green\cell 3\cell\row\pard After\par`,
      'Name | Price\nTea green | 3\n\nAfter',
    ],
    [
      'notes, fields and escaped signs',
      String.raw`a{\footnote Note.} \{b\}\line{\field{\*\fldinst HYPERLINK "x"}{\fldrslt link}}\par`,
      'a {b} link\n\nNote.',
    ],
    [
      'nothing that is hidden or for programs',
      String.raw`{\info{\title No}}{\header No}{\*\unknown No}{\v No}{\deleted No}{\*\bkmkstart No}\bin3 NoNYes`,
      'Yes',
    ],
    ['brackets that do not match', 'a}}}b', 'ab'],
  ])('with %s', async (_words, body, expected) => {
    expect(await textOf(String.raw`{\rtf1\ansi\ansicpg1252\deff0${FONTS}${body}}`, RTF)).toBe(expected);
  });

  it('tells of pictures and comments', async () => {
    const body = String.raw`{\rtf1 Text{\*\shppict{\pict\pngblip 89504e}}{\nonshppict{\pict 00}}{\*\annotation No}}`;
    expect(await read(body, RTF)).toEqual({
      pieces: [{ heading: '', text: 'Text', page: null }],
      losses: [
        { what: 'pictures', count: 1 },
        { what: 'comments', count: 1 },
      ],
    });
  });
});

describe('data and code', () => {
  it.each<[string, string, string, string]>([
    [
      'JSON in the order and with the numbers of the file',
      JSON_TYPE,
      '{"b":1,"10":"\\u00e9\\n","2":[1,{"x":12345678901234567890}],"b":2}',
      '{"b": 1, "10": "é\\n", "2": [1, {"x": 12345678901234567890}], "b": 2}',
    ],
    ['JSON Lines', 'application/x-ndjson', '{"a":1}\n{"a":2}\n', '{"a": 1}\n{"a": 2}'],
    ['JSON with comments, as its lines', JSON_TYPE, '// a\n{\n  "a": 1,\n}', '// a\n{\n  "a": 1,\n}'],
    ['code with its indentation', SOURCE, 'def a():\n    return 1\n\n\nclass B:\n\tx = 1\n', 'def a():\n    return 1\n\nclass B:\n\tx = 1'],
    [
      'a log with its lines',
      'text/x-log',
      '2026-11-29 12:00:00 INFO a long line of a log that is not wrapped\n2026-11-29 12:00:01 WARN b',
      '2026-11-29 12:00:00 INFO a long line of a log that is not wrapped\n2026-11-29 12:00:01 WARN b',
    ],
    ['YAML', 'application/yaml', 'tea:\n  - green\nmilk: 1\n', 'tea:\n  - green\n\nmilk: 1'],
    ['XML', 'application/xml', '<a>\n  <b c="1">text</b>\n</a>', '<a>\n  <b c="1">text</b>\n</a>'],
    [
      'the texts of a drawing',
      'image/svg+xml',
      '<svg><title>Plan</title><path d="M0"/><text>Room <tspan>one</tspan></text></svg>',
      'Plan\n\nRoom one',
    ],
  ])('%s', async (_words, mediaType, content, expected) => {
    expect(await textOf(content, mediaType)).toBe(expected);
  });

  it('of a large JSON value stand below the names that lead to it', async () => {
    const teas = Array.from({ length: 60 }, (_, id) => ({ id, name: `Tea ${id}`, price: id * 1.5 }));
    const { pieces } = await read(JSON.stringify({ shop: { teas, note: 'Closed.' }, version: 2 }), JSON_TYPE);
    expect(pieces.map(({ heading }) => heading)).toEqual(['shop › teas', 'shop › teas', 'shop', '']);
    expect(pieces[0]?.text).toMatch(/^\{"id": 0, "name": "Tea 0", "price": 0\}\n\{"id": 1/);
    expect(pieces.slice(2).map(({ text }) => text)).toEqual(['"note": "Closed."', '"version": 2']);
  });
});

describe('the reader refuses', () => {
  const bomb = Buffer.alloc(66 * 1024 * 1024, 32);
  /** An archive in whose directory a part is smaller than it is. */
  const lying = async (): Promise<Buffer> => {
    const file = await xlsxOf({ A: ' '.repeat(5_000_000) });
    const name = Buffer.from('xl/worksheets/sheet1.xml');
    file.writeUInt32LE(100, file.lastIndexOf(name) - 22);
    return file;
  };
  const manifest = '<manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry>';
  const drm = { 'META-INF/encryption.xml': '<e><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/></e>' };
  const flagged = async (): Promise<Buffer> => {
    const file = await zipOf({ 'content.xml': 'x' });
    const at = file.lastIndexOf(Buffer.from('PK\x01\x02'));
    file.writeUInt16LE(file.readUInt16LE(at + 8) | 1, at + 8);
    return file;
  };

  it.each<[string, string, () => Buffer | string | Promise<Buffer>, RegExp]>([
    ['a truncated workbook', XLSX, async () => (await xlsxOf({ A: sheet(row(1, ['a'])) })).subarray(0, 700), /damaged/],
    ['an archive that is no workbook', XLSX, () => zipOf({ 'a.txt': 'a' }), /damaged/],
    ['a workbook that expands to more than 64 MiB', XLSX, () => xlsxOf({}, { more: { 'xl/workbook.xml': bomb } }), /expands/],
    ['a workbook whose size is a lie', XLSX, lying, /damaged/],
    [
      'an archive of more than 10,000 parts',
      ODT,
      () => zipOf(Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`${index}`, '']))),
      /10000 parts/,
    ],
    ['a workbook without values', XLSX, () => xlsxOf({ A: sheet('') }), /no text/],
    ['an encrypted OpenDocument file', ODT, () => odfOf('text', '', { manifest }), /password/],
    ['an encrypted archive', ODT, flagged, /password/],
    ['a protected book', EPUB, () => epubOf({ 'a.xhtml': 'a' }, { more: drm }), /DRM/],
    ['XML that is nested too deeply', ODT, () => odfOf('text', '<text:p>'.repeat(2000)), /nested/],
    ['RTF that is nested too deeply', RTF, () => `{\\rtf1 ${'{'.repeat(20_000)}`, /nested/],
    ['a table of empty values', CSV, () => ',,,\n,,', /no text/],
    [
      'RTF with more text than 5,000,000 characters',
      RTF,
      () => `{\\rtf1 ${'All work and no play. '.repeat(230_000)}}`,
      /5000000 characters/,
    ],
  ])('%s', async (_words, mediaType, make, message) => {
    await expect(read(await make(), mediaType)).rejects.toMatchObject({
      code: 'DOCUMENT_UNREADABLE',
      message: expect.stringMatching(message) as unknown,
    });
    expect((await read('Still there.', 'text/plain')).pieces[0]?.text).toBe('Still there.');
  });
});
