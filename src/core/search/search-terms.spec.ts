import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { foldText } from './folded-text.js';
import { indexedWords } from './indexed-words.js';
import { mayBeEnglish, phraseWanted, termsIn, toFts5, toTsquery, wordsWanted } from './search-terms.js';

const LETTERS = 'aeioustnrlßäöüéčłñığабеийкоыёьяґїהשאמכתובदमतनी가이를학교猫東京たカーแมวั๔٤9';
const text = fc.string({ unit: fc.constantFrom(...LETTERS, ' ', '-', '’'), maxLength: 40 });

describe('folding', () => {
  it.each([
    ['ÉTÉ Straße', 'ete strasse'],
    ['ＡＢＣ ｶﾀｶﾅ', 'abc かたかな'],
    ['ёлка Й', 'елка и'],
    ['كِتَابٌ', 'كتاب'],
    ['שָׁלוֹם', 'שלום'],
    ['๔๔๗๑ ٤٢ ४२', '4471 42 42'],
    ['แมวดำ', 'แมวดำ'],
    ['हिन्दी', 'हिन्दी'],
    ['한국', '한국'],
  ])('of %s', (written, folded) => {
    expect(foldText(written)).toBe(folded);
  });

  it('of a folded text changes nothing', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (any) => expect(foldText(foldText(any))).toBe(foldText(any))));
  });
});

describe('what the index stores', () => {
  it.each([
    ['plain words — “quoted” 😀', null],
    ['naïve', 'naive'],
    ['我养了猫 ok', '我养 养了 了猫 猫 ok'],
    ['고양이', '고양 양이 이'],
  ])('of %s', (written, words) => {
    expect(indexedWords(written)).toBe(words);
  });
});

describe('a search term', () => {
  it.each([
    ['книга', 'Я купил книгу'],
    ['Häuser', 'ein Haus'],
    ['city', 'two cities'],
    ['猫', '我养了一只猫'],
    ['猫', '猫が好き'],
    ['学校', '我们的学校很大'],
    ['고양이가', '고양이를 봤어요'],
    ['แมว', 'ฉันมีแมวสองตัว'],
    ['الكتاب', 'كتاب جديد'],
  ])('%s is in %s', (query, written) => {
    const wanted = wordsWanted(query);
    expect(termsIn(written, wanted)).toEqual(wanted);
  });

  it('is in every text that has the word, in any script', () => {
    fc.assert(
      fc.property(text, text, text, (before, word, after) => {
        const written = `${before} ${word} ${after}`;
        expect(termsIn(written, phraseWanted(word))).toEqual(phraseWanted(word));
      }),
    );
  });

  it('has only letters and digits in a query of either engine', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: 'binary', maxLength: 60 })), (query) => {
        for (const term of [...wordsWanted(query), ...phraseWanted(query)]) {
          expect(toFts5(term)).toMatch(/^"[\p{L}\p{N} ]+"(?: \*)?(?: OR "[\p{L}\p{N} ]+"(?: \*)?)*$/u);
          expect(toTsquery(term)).toMatch(/^\(?'[\p{L}\p{N}]+'(?::\*)?(?: (?:<->|\|) '[\p{L}\p{N}]+'(?::\*)?)*\)?$/u);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('mayBeEnglish', () => {
  it.each(['What is my cat called?', 'cat', 'What does 猫 mean?', 'Pizza Margherita', '4711'])('accepts %j', (text) => {
    expect(mayBeEnglish(text)).toBe(true);
  });

  it.each([
    ...['Wie heißt meine Katze?', 'Comment s’appelle mon chat ?', '¿Cómo se llama mi gato?', 'Как зовут мою кошку?', '我的猫叫什么？'],
    ...['猫の名前は？', '고양이 이름이 뭐예요?', 'แมวของฉันชื่ออะไร', 'ما اسم قطتي؟'],
  ])('tells another language: %j', (text) => {
    expect(mayBeEnglish(text)).toBe(false);
  });
});
