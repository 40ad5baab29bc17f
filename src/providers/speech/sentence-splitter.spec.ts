import fc from 'fast-check';
import { SentenceSplitter } from './sentence-splitter.js';

function split(text: string, size = text.length): string[] {
  const splitter = new SentenceSplitter();
  const sentences: string[] = [];
  for (let from = 0; from < text.length; from += size) sentences.push(...splitter.push(text.slice(from, from + size)));
  return [...sentences, ...splitter.end()];
}

describe('SentenceSplitter', () => {
  it.each([
    ['sentences', 'The first sentence. The second sentence! And a third?', ['The first sentence.', 'The second sentence!', 'And a third?']],
    ['short ones, with the next', 'Yes. I think that is right.', ['Yes. I think that is right.']],
    [
      'abbreviations',
      'Ask Dr. Jones or Mrs. Hill, e.g. today. They know it.',
      ['Ask Dr. Jones or Mrs. Hill, e.g. today.', 'They know it.'],
    ],
    ['initials', 'It was J. R. R. Tolkien who wrote it. He did.', ['It was J. R. R. Tolkien who wrote it.', 'He did.']],
    ['numbers', 'The value is 3.14159 today. It was 2.7 before.', ['The value is 3.14159 today.', 'It was 2.7 before.']],
    ['quotes', '"This is it." He went away then.', ['"This is it." He went away then.']],
    ['lines', 'a line without an end\nanother line of text', ['a line without an end', 'another line of text']],
    [
      'Japanese',
      'これは最初の文ですこれは最初の文です。これは二番目の文です。',
      ['これは最初の文ですこれは最初の文です。', 'これは二番目の文です。'],
    ],
    ['code, left out', 'Do it like this here:\n```js\na. B. C.\n```\nThen it is done.', ['Do it like this here:', 'Then it is done.']],
    ['an open fence, left out', 'Do it like this here:\n```js\na. B. C.', ['Do it like this here:']],
    ['nothing', ' \n … ', []],
  ])('cuts %s', (_what, text, sentences) => {
    expect(split(text)).toEqual(sentences);
  });

  it('yields a sentence when the next one begins', () => {
    const splitter = new SentenceSplitter();
    expect(splitter.push('This is the first sentence')).toEqual([]);
    expect(splitter.push('. ')).toEqual([]);
    expect(splitter.push('And')).toEqual(['This is the first sentence.']);
    expect(splitter.end()).toEqual(['And']);
  });

  it('cuts a long sentence at a pause, or between words', () => {
    const long = `${'word '.repeat(30)}ends here, ${'word '.repeat(30)}`;
    const sentences = split(long);
    expect(sentences[0]).toMatch(/ends here,$/);
    expect(split('x'.repeat(1000)).every((piece) => piece.length <= 240)).toBe(true);
    expect(split('😀a'.repeat(500)).some((piece) => /\p{Cs}/u.test(piece))).toBe(false);
  });

  it('counts digits and symbols by their spoken words', () => {
    const pieces = split('1234567890 % '.repeat(45));
    expect(pieces.join(' ').replace(/\s+/g, ' ')).toBe('1234567890 % '.repeat(45).trim());
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(60);
  });

  it('loses no word for any chunking', () => {
    const words = fc.array(fc.constantFrom('Hello', 'world.', 'Yes!', 'a', 'Mr.', '3.5', 'really?', '\n', 'e.g.', '"So."'), {
      maxLength: 80,
    });
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 40 }), (parts, size) => {
        const text = parts.join(' ');
        expect(split(text, size).join(' ').split(/\s+/)).toEqual(split(text).join(' ').split(/\s+/));
        expect(split(text, size).join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
      }),
      { numRuns: 200 },
    );
  });
});
