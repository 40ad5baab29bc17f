import { deflateSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { AppError } from '../../core/errors/index.js';
import { assemble, docxOf, docxTable, pdfOf } from '../../../test/support/documents.mjs';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { eventually } from '../../../test/support/memory-app.js';
import { DocumentReader } from './document-reader.js';
import { DOCX } from './document-types.js';
import type { Piece } from './knowledge.types.js';

const PDF = 'application/pdf';
const MARKDOWN = 'text/markdown';
// Its limits of time are no part of these cases: a busy machine reads slowly.
const reader = new DocumentReader(new FakeClock());
const never = new AbortController().signal;

async function read(content: string | Buffer, mediaType: string, from = reader): Promise<Piece[]> {
  const pieces: Piece[] = [];
  const load = () => Promise.resolve(new Uint8Array(Buffer.from(content as string)));
  for await (const slice of from.read({ load, mediaType, charset: null }, [], never)) pieces.push(...slice);
  return pieces;
}

/** Different sentences of twelve words each. */
const sentences = (count: number, about = 'tea'): string =>
  Array.from({ length: count }, (_, index) => `Sentence ${index} of this text says one more thing about ${about}.`).join(' ');
const wordsOf = (text: string): number => text.split(/\s+/).length;
const piece = (text: string, heading = '', page: number | null = null): Piece => ({ text, heading, page });

/** A PDF of a few kB, whose only page expands to 70 MiB: it is compressed three times. */
function pdfBomb(): Buffer {
  const stream = deflateSync(deflateSync(deflateSync(Buffer.alloc(70 * 1024 * 1024, 32))));
  const dictionary = `<< /Length ${stream.length} /Filter [/FlateDecode /FlateDecode /FlateDecode] >>\nstream\n`;
  return assemble([
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    Buffer.from('<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << >> >>'),
    Buffer.concat([Buffer.from(dictionary), stream, Buffer.from('\nendstream')]),
  ]);
}

afterAll(() => reader.onModuleDestroy());

describe('splitting a document', () => {
  it('cuts at headings, and at sentences into pieces of 120 to 220 words', async () => {
    const pieces = await read(`# Handbook\n\nIntro.\n\n## Tea\n\n${sentences(60)}\n\nCoffee\n------\n\n${sentences(3)}`, MARKDOWN);
    expect(pieces[0]).toEqual(piece('Intro.', 'Handbook'));
    expect(pieces.at(-1)).toEqual(piece(sentences(3), 'Handbook › Coffee'));
    const tea = pieces.slice(1, -1);
    expect(tea.map(({ text }) => text).join(' ')).toBe(sentences(60));
    for (const { text, heading } of tea) {
      expect(heading).toBe('Handbook › Tea');
      expect(wordsOf(text)).toBeGreaterThanOrEqual(100);
      expect(wordsOf(text)).toBeLessThanOrEqual(220);
      expect(text).toMatch(/^Sentence.*\.$/s);
    }
  });

  it('repeats the header of a table in each part', async () => {
    const rows = Array.from({ length: 80 }, (_, index) => `| Tea ${index} | ${index} | a cup of it, brewed hot |`);
    const pieces = await read(`| Name | Price | Note |\n| --- | ---: | --- |\n${rows.join('\n')}`, MARKDOWN);
    expect(pieces.length).toBeGreaterThan(2);
    for (const { text } of pieces) expect(text).toMatch(/^Name \| Price \| Note\nTea \d+ \| \d+ \| a cup/);
  });

  it('cuts a sentence or a word that is too long for a piece', async () => {
    const [long, chinese] = [await read('word '.repeat(1000), MARKDOWN), await read('茶'.repeat(3000), 'text/plain')];
    expect(long.map(({ text }) => wordsOf(text))).toEqual([220, 220, 220, 220, 120]);
    expect(chinese.map(({ text }) => text).join('')).toBe('茶'.repeat(3000));
    expect(Math.max(...chinese.map(({ text }) => text.length))).toBeLessThanOrEqual(440);
  });
});

describe('the text of a document is read from', () => {
  it.each<[string, string, string, Piece[]]>([
    [
      'wrapped and listed plain text',
      'text/plain',
      'A line that is as long as the page is wide,\nand its end.\n\nmilk\ntea',
      [piece('A line that is as long as the page is wide, and its end.\n\nmilk\ntea')],
    ],
    ['text with a byte order mark and other line ends', 'text/plain', '\uFEFFOne.\r\n\r\nTwo.', [piece('One.\n\nTwo.')]],
    [
      'Markdown with code, quotes, comments and pictures',
      MARKDOWN,
      '---\ntitle: x\n---\n# Use ##\n\n> Quoted.\n\n```sh\n# no heading\nnpm  start\n```\n<!-- not\nthis -->\n- one\n  more\n- ![a cup](data:image/png;base64,AAAA)',
      [piece('Quoted.\n\n# no heading\nnpm  start\n\n- one more\n- a cup', 'Use')],
    ],
    [
      'HTML without scripts, styles, navigation and hidden parts',
      'text/html',
      `<!doctype html><html><head><title>Teas</title><style>p{}</style><body><nav>No</nav><h1>Tea</h1><p>It is <b>gr</b>een.
       <script>no()</script><p hidden>No<p style="display: none">No</p><ul><li>One<ul><li>Two</ul><li>Three &amp; four</ul><pre>a  b\nc</pre>
       <h2>Prices</h2><table><tr><th>Name<th>Price<tr><td>Sencha<td>3</table>`,
      [
        piece('It is green.\n\n- One\n- Two\n- Three & four\n\na  b\nc', 'Teas › Tea'),
        piece('Name | Price\nSencha | 3', 'Teas › Tea › Prices'),
      ],
    ],
    [
      'HTML whose table only divides the page',
      'text/html',
      '<table><tr><td>Left</td></tr><tr><td><table><tr><td>In</td></tr></table></td></tr></table>',
      [piece('Left\n\nIn')],
    ],
  ])('%s', async (_words, mediaType, content, expected) => {
    expect(await read(content, mediaType)).toEqual(expected);
  });

  it('a Word document with headings and a table', async () => {
    const file = await docxOf(['# Tea', 'It is green.', '# Coffee', 'Beans.']);
    expect(await read(file, DOCX)).toEqual([piece('It is green.', 'Tea'), piece('Beans.', 'Coffee')]);
    const table = await docxOf(
      docxTable([
        ['Name', 'Price'],
        ['Sencha', '3'],
        ['Assam', '4'],
      ]),
    );
    expect(await read(table, DOCX)).toEqual([piece('Name | Price\nSencha | 3\nAssam | 4')]);
  });

  it('a PDF with pages, headings and hyphenated words, without its footer', async () => {
    const page = (heading: string, text: string, number: number): string[] => {
      const filler = ['', 'Between them are more lines of the page,', 'so that it has a few: fog . . . . . . 12.', ''];
      return [`# ${heading}`, text, 'It steeps for three mi-', 'nutes.', ...filler, `Page ${number} of 4 (draft)`];
    };
    const pages = ['Tea', 'Coffee', 'Milk', 'Cocoa'].map((name, index) => page(name, `This is about ${name}.`, index + 1));
    const pieces = await read(pdfOf(pages), PDF);
    expect(pieces.map(({ heading, page: at }) => [heading, at])).toEqual([
      ['Tea', 1],
      ['Coffee', 2],
      ['Milk', 3],
      ['Cocoa', 4],
    ]);
    expect(pieces[1]?.text).toBe(
      'This is about Coffee. It steeps for three minutes.\n\nBetween them are more lines of the page, so that it has a few: fog … 12.',
    );
  });
});

describe('the parser visits each part of a document only a few times, however many parts there are of', () => {
  // With an expression that begins anew at each character, one of them takes minutes.
  const of = (part: string, before = '', after = ''): string => `${before}${part.repeat(1_000_000 / part.length)}${after}`;
  const patient = new DocumentReader(new FakeClock());
  afterAll(() => patient.onModuleDestroy());

  it.each<[string, string, string]>([
    ['comments without an end', MARKDOWN, of('<!--')],
    ['pictures without an end', MARKDOWN, of('![')],
    ['addresses of pictures without an end', MARKDOWN, of('![](')],
    ['marks in a heading', MARKDOWN, of('#', '# ', 'x')],
    ['spaces below the header of a table', MARKDOWN, of(' ', 'a | b\n-', 'x')],
    ['marks below the header of a table', MARKDOWN, of(':-', 'a | b\n', 'x')],
    ['pieces of code', MARKDOWN, of('```\nx\n```\n')],
    ['tables', MARKDOWN, of('a|b\n-|-\nc|d\n\n')],
    ['quoted lists', MARKDOWN, of('> - item\n>   goes on\n\n')],
    ['sentences in a paragraph', 'text/plain', of('He is. ')],
    ['lines', 'text/plain', of('x\n')],
    ['unknown tags', 'text/html', of('</x>', '<b>'.repeat(900))],
    ['rows', 'text/html', of('<tr><td>cell', '<table>')],
  ])('%s', async (_words, mediaType, content) => {
    const pieces = await read(content, mediaType, patient).catch((error: AppError) => error.message);
    // Those without text are read to their end, too.
    expect(typeof pieces === 'string' ? pieces : pieces.length > 0).toEqual(
      typeof pieces === 'string' ? expect.stringMatching(/no text/) : true,
    );
  });
});

describe('the pieces of a document', () => {
  it('come in slices of at most 500', async () => {
    const content = Buffer.from('# a\nb\n'.repeat(1200));
    const slices: number[] = [];
    const load = () => Promise.resolve(new Uint8Array(content));
    for await (const slice of reader.read({ load, mediaType: MARKDOWN, charset: null }, [], never)) slices.push(slice.length);
    expect(slices).toEqual([500, 500, 200]);
  });
});

describe('a long document', () => {
  /** A page of a few kB that takes seconds. */
  const costlyPage = (): Buffer => {
    const stream = deflateSync(Buffer.from('q Q '.repeat(4_000_000)));
    return assemble([
      Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
      Buffer.from('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
      Buffer.from('<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << >> >>'),
      Buffer.concat([Buffer.from(`<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`), stream, Buffer.from('\nendstream')]),
    ]);
  };
  /** Reads a document, and tells how often it was loaded. */
  const begin = (subject: DocumentReader, content: Buffer): { loads: () => number; outcome: Promise<unknown>; isOver: () => boolean } => {
    let [loads, over] = [0, false];
    const load = () => {
      loads += 1;
      return Promise.resolve(new Uint8Array(content));
    };
    const outcome = subject
      .read({ load, mediaType: PDF, charset: null }, [], never)
      .next()
      .catch((error: unknown) => error)
      .finally(() => (over = true));
    return { loads: () => loads, outcome, isOver: () => over };
  };

  it('yields its slot after 5 s, and is abandoned after 30 more', async () => {
    const clock = new FakeClock();
    const subject = new DocumentReader(clock);
    const costly = begin(subject, costlyPage());
    await eventually(() => costly.loads() === 1 && clock.scheduled > 0);
    clock.advance(5000);
    await eventually(() => costly.loads() === 2 && clock.scheduled > 0);
    expect((await read('Short.', 'text/plain', subject))[0]?.text).toBe('Short.');
    expect(costly.isOver()).toBe(false);
    clock.advance(30_000);
    expect(await costly.outcome).toMatchObject({ code: 'DOCUMENT_UNREADABLE', message: expect.stringContaining('30 s') as unknown });
    await subject.onModuleDestroy();
  });

  it('of more than 100 pages goes straight to the queue for long documents', async () => {
    const subject = new DocumentReader(new FakeClock());
    const many = begin(subject, pdfOf(Array.from({ length: 101 }, (_, page) => [`This is page ${page}.`])));
    expect(await many.outcome).toMatchObject({ done: false });
    expect(many.loads()).toBe(2);
    await subject.onModuleDestroy();
  });
});

describe('the reader refuses a document that', () => {
  it.each<[string, string, () => Buffer | string | Promise<Buffer>, RegExp]>([
    ['has no text', PDF, () => pdfOf([[''], ['']]), /no text/],
    ['is a broken PDF', PDF, () => '%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF', /damaged/],
    ['is a broken DOCX', DOCX, () => 'PK\x03\x04 and nothing else', /damaged/],
    ['has more than 3000 pages', PDF, () => pdfOf(Array.from({ length: 3001 }, () => ['Short.'])), /3000 pages/],
    ['has more than 20,000 pieces', MARKDOWN, () => '# a\nb\n'.repeat(20_001), /20000 pieces/],
    ['is nested too deeply', 'text/html', () => '<b>'.repeat(2000), /nested/],
    ['has more text than 5,000,000 characters', 'text/plain', () => 'All work and no play. '.repeat(230_000), /5000000 characters/],
    ['expands to more than 64 MiB as a PDF', PDF, pdfBomb, /expands/],
    ['is nested without end', DOCX, () => docxOf('<w:p>'.repeat(20_000) + '</w:p>'.repeat(20_000)), /damaged|memory/],
  ])('%s', async (_words, mediaType, make, message) => {
    const before = process.memoryUsage().rss;
    const content = await make();
    await expect(read(content, mediaType)).rejects.toMatchObject({
      code: 'DOCUMENT_UNREADABLE',
      message: expect.stringMatching(message) as unknown,
    });
    expect((await read('Still there.', 'text/plain'))[0]?.text).toBe('Still there.');
    expect(process.memoryUsage().rss - before).toBeLessThan(1024 ** 3);
  });
});
