// Files of every kind with random damage: each is read or refused with a sentence, and the thread lives on.
import { afterAll, describe, expect, it } from '@jest/globals';
import JSZip from 'jszip';
import { docxOf, docxTable, pdfOf } from '../../../test/support/documents.mjs';
import { epubOf, odfOf, pptxNotes, pptxOf, pptxShape, xlsxOf, xlsxRow } from '../../../test/support/document-samples.mjs';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { AppError } from '../../core/errors/index.js';
import { DocumentReader } from './document-reader.js';

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument';
const ROUNDS = 25;
const SEED = 20_261_129;

const CELL = '<table:table-cell table:number-columns-repeated="2"><text:p>a</text:p></table:table-cell>';
const SHEET = `<table:table table:name="A"><table:table-row>${CELL}</table:table-row></table:table>`;
const SAMPLES: [mediaType: string, make: () => string | Buffer | Promise<Buffer>][] = [
  ['text/plain', () => 'A line.\n\nAnother.'],
  ['text/markdown', () => '# A\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- ![x](y)\n\n```\ncode\n```\n<!-- no -->'],
  ['text/html', () => '<h1>A</h1><table><tr><th>a<td>b</table><ul><li>c</ul><pre>d</pre><p hidden>e'],
  ['application/pdf', () => pdfOf([['# A', 'One line of text.']])],
  [`${OFFICE}.wordprocessingml.document`, () => docxOf(docxTable([['a'], ['b']]))],
  [
    `${OFFICE}.spreadsheetml.sheet`,
    () =>
      xlsxOf(
        {
          A: `<sheetData>${xlsxRow(1, ['a', 1, '<c s="1"><f>B1</f><v>2</v></c>'])}</sheetData><mergeCells><mergeCell ref="A1:C9"/></mergeCells>`,
        },
        { strings: ['<t>a</t>'], formats: ['[h]:mm "x"'] },
      ),
  ],
  [`${OFFICE}.presentationml.presentation`, () => pptxOf([pptxShape(['a'], 'title'), pptxShape(['b'])], pptxNotes('c'))],
  [`${OPEN_DOCUMENT}.text`, () => odfOf('text', '<text:h text:outline-level="1">A</text:h><text:p>b<text:s text:c="3"/></text:p>')],
  [`${OPEN_DOCUMENT}.spreadsheet`, () => odfOf('spreadsheet', SHEET)],
  [`${OPEN_DOCUMENT}.presentation`, () => odfOf('presentation', '<draw:page><draw:frame><text:p>a</text:p></draw:frame></draw:page>')],
  ['application/epub+zip', () => epubOf({ 'a.xhtml': '<html><body><h1>A</h1><p>b</p></body></html>' })],
  [
    'application/rtf',
    () => String.raw`{\rtf1\ansi{\fonttbl{\f0\fcharset204 A;}}\f0 \'e9\u8364 ?{\b b}\trowd a\cell\row\bin2 xx{\footnote c}\par}`,
  ],
  ['text/csv', () => 'a;b\n"1";"2\n3"\n'],
  ['application/json', () => '{"a":[1,{"b":"\\u00e9"},null],"c":-1.5e3}'],
  ['image/svg+xml', () => '<svg><title>a</title><text>b</text></svg>'],
  ['text/x-source', () => 'a {\n  b\n}\n'],
];

/** Numbers from 0 up to 1, the same in each run. */
function randoms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A copy with a few bytes changed, parts cut out or repeated, or its end missing. */
function damaged(content: Buffer, random: () => number): Buffer {
  let bytes = Buffer.from(content);
  const below = (end: number): number => Math.floor(random() * end);
  for (let times = 1 + below(4); times > 0; times--) {
    const [at, length] = [below(bytes.length), below(40)];
    switch (below(4)) {
      case 0:
        bytes = bytes.subarray(0, at);
        break;
      case 1:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
        break;
      case 2:
        bytes = Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]);
        break;
      default:
        if (bytes.length > 0) bytes[at] = below(256);
    }
  }
  return bytes;
}

/** An archive of which one part is damaged. */
async function damagedWithin(content: Buffer, random: () => number): Promise<Buffer> {
  const zip = await JSZip.loadAsync(content);
  const parts = Object.values(zip.files).filter(({ dir }) => !dir);
  const part = parts[Math.floor(random() * parts.length)];
  if (part) zip.file(part.name, damaged(await part.async('nodebuffer'), random));
  return zip.generateAsync({ type: 'nodebuffer' });
}

describe('a damaged file is read or refused with a sentence:', () => {
  const reader = new DocumentReader(new FakeClock());
  const never = new AbortController().signal;
  afterAll(() => reader.onModuleDestroy());

  const outcome = async (content: Buffer, mediaType: string): Promise<string> => {
    try {
      const load = () => Promise.resolve(new Uint8Array(content));
      for await (const pieces of reader.read({ load, mediaType, charset: null }, [], never)) {
        if (pieces.length === 0 || pieces.some(({ text }) => text.trim() === '' || !text.isWellFormed())) return 'a piece without text';
      }
      return 'read';
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return error.code === 'DOCUMENT_UNREADABLE' && /^[A-Z].*\.$/.test(error.message) ? 'refused' : error.message;
    }
  };

  it.each(SAMPLES)('%s', async (mediaType, make) => {
    const content = Buffer.from((await make()) as Buffer);
    expect(await outcome(content, mediaType)).toBe('read');
    const random = randoms(SEED);
    for (let round = 0; round < ROUNDS; round++) {
      const isWithin = round % 2 === 1 && content.subarray(0, 2).toString() === 'PK';
      const broken = isWithin ? await damagedWithin(content, random) : damaged(content, random);
      expect([broken.toString('base64'), await outcome(broken, mediaType)]).toEqual([
        broken.toString('base64'),
        expect.stringMatching(/^(read|refused)$/),
      ]);
    }
    // The content of one kind, read as another.
    expect(await outcome(pdfOf([['A.']]).subarray(0, 300), mediaType)).toMatch(/^(read|refused)$/);
    expect(await outcome(Buffer.from('Still there.'), 'text/plain')).toBe('read');
  });
});
