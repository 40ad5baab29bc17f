// Every reader with damaged documents: pieces, or a refusal with a sentence. The thread does not die, and does not stall.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { docxOf, docxTable, pdfOf } from '../../../../test/support/documents.mjs';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { Random } from '../../../../test/support/random.js';
import { AppError } from '../../../core/errors/index.js';
import { DocumentReader } from '../document-reader.js';
import { DOCX } from '../document-types.js';

const MUTATIONS = 300;
const reader = new DocumentReader(new FakeClock());
const samples = new Map<string, Buffer>();
afterAll(() => reader.onModuleDestroy());

beforeAll(async () => {
  const table = docxTable([
    ['Tea', 'Price'],
    ['Sencha', '3'],
  ]);
  samples.set(DOCX, await docxOf(`<w:p><w:r><w:t>It is green.</w:t></w:r></w:p>${table}`));
  samples.set('application/pdf', pdfOf([['# Tea', 'It is green.', 'It is hot.'], ['Coffee is black.']]));
  samples.set(
    'text/html',
    Buffer.from(
      `<!doctype html><title>Teas</title><h1>Green</h1><p>It is <b>hot</b>.<ul><li>one<li>two</ul><pre>a  b</pre>
       <table><thead><tr><th rowspan=2>Tea<th colspan=2>Price<tr><th>a<th>b</thead><tr><td>x<td colspan=2>1</table>
       <math><mfrac><mn>1</mn><mn>2</mn></mfrac></math><svg width=100><text>s</text></svg><img alt="x"><table><tr><td><table><tr><td>y</table></table>`,
    ),
  );
  samples.set(
    'text/markdown',
    Buffer.from('# Teas\n\nIt is *hot*.\n\n- one\n- two\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```\ncode\n```\n> quoted'),
  );
  samples.set('text/plain', Buffer.from('Teas\n\nIt is hot.\r\nÄ 茶 🍵\n'));
});

/** Changes, removes, repeats or moves some bytes. */
function mutated(content: Buffer, random: Random): Buffer {
  let bytes = Buffer.from(content);
  for (let changes = random.between(1, 6); changes > 0 && bytes.length > 0; changes--) {
    const at = random.between(0, bytes.length - 1);
    const part = bytes.subarray(at, at + random.between(1, 40));
    const other = random.between(0, bytes.length - 1);
    const kinds = [
      () => void (bytes[at] = random.between(0, 255)),
      () => void (bytes[at] = bytes[at]! ^ (1 << random.between(0, 7))),
      () => (bytes = bytes.subarray(0, at)),
      () => (bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + part.length)])),
      () => (bytes = Buffer.concat([bytes.subarray(0, other), part, bytes.subarray(other)])),
      () => (bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(random.pick(HOSTILE)), bytes.subarray(at)])),
    ];
    random.pick(kinds)();
  }
  return bytes;
}

const HOSTILE = [
  '\0',
  '<',
  '</',
  '">',
  '&#0;',
  '&#x110000;',
  '999999999999',
  '-1',
  '(((',
  '<<',
  'endobj',
  'PK\x03\x04',
  '\uD800',
  '\uFEFF',
  '<td colspan=1e9>',
];

describe('a damaged document is read or refused with a sentence', () => {
  it.each([DOCX, 'application/pdf', 'text/html', 'text/markdown', 'text/plain'])(
    '%s',
    async (mediaType) => {
      const random = new Random(99);
      const faults: string[] = [];
      for (let count = 0; count < MUTATIONS; count++) {
        const content = mutated(samples.get(mediaType)!, random);
        const source = { load: () => Promise.resolve(new Uint8Array(content)), mediaType, charset: null };
        try {
          for await (const pieces of reader.read(source, [], new AbortController().signal)) {
            if (pieces.some(({ text }) => text.trim() === '' || !text.isWellFormed())) faults.push(`${count}: a piece without text`);
          }
        } catch (error) {
          const isRefusal = error instanceof AppError && error.code === 'DOCUMENT_UNREADABLE' && /^The document .+\.$/.test(error.message);
          if (!isRefusal) faults.push(`${count}: ${String(error)}`);
          if (/needs more memory/.test((error as Error).message)) faults.push(`${count}: the thread died: ${content.toString('base64')}`);
        }
      }
      expect(faults).toEqual([]);
    },
    120_000,
  );
});
