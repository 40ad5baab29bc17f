import { processorMs } from '../../../test/support/work-units.js';
import { spokenText, utterancesOf } from './spoken-text.js';

describe('spokenText', () => {
  it.each([
    ['plain words', 'Hello there, how are you?', 'Hello there, how are you?'],
    ['emphasis', 'This is **very** *important* and ~~wrong~~ __right__ _now_.', 'This is very important and wrong right now.'],
    ['names with underscores', 'Call my_long_name or 2*3*4.', 'Call my long name or 2 3 4.'],
    ['emoji', 'Well done! 🎉👍🏽 Really ❤️.', 'Well done! Really.'],
    ['flags and keycaps', 'Press 1️⃣ in 🇩🇪', 'Press 1 in'],
    ['digits and signs', 'It costs $3.50, or 5 % less, #1 of 10.', 'It costs $3.50, or 5 % less, #1 of 10.'],
    ['a link', 'See [the manual](https://example.org/a?b=1 "title").', 'See the manual.'],
    ['a bare address', 'See https://www.example.org:8080/a/b?c#d for more.', 'See example.org for more.'],
    ['an image', 'Look: ![a red cat](cat.png)', 'Look: a red cat'],
    ['inline code', 'Run `npm test` now.', 'Run npm test now.'],
    ['a block of code', 'Do this:\n```js\nconst a = 1;\n```\nDone.', 'Do this:\nDone.'],
    ['an open block of code', 'Do this:\n```\nrm -rf', 'Do this:'],
    ['headings', '# Title #\nText', 'Title.\nText'],
    ['lists', '- milk\n* eggs.\n3. [x] bread', 'milk.\neggs.\nbread.'],
    ['quotes', '> He said\n> no.', 'He said\nno.'],
    ['a rule', 'one\n\n---\n\ntwo', 'one\ntwo'],
    ['a table', '| a | b |\n|---|:-:|\n| 1 | 2 |', 'a, b.\n1, 2.'],
    ['tags and entities', 'Fish &amp; <b>chips</b><br/> a &lt; b<script>x()</script>', 'Fish & chips a less than b'],
    ['a bare comparison', 'if 1 < 2 then', 'if 1 2 then'],
    ['typographic quotes', '“It’s fine”', '"It\'s fine"'],
    ['controls and lone surrogates', 'a\u0000b\u200b c\ud800 d', 'a b c d'],
    ['nothing but decoration', '✨ ***\n---\n🙂', ''],
  ])('reads out %s', (_what, text, spoken) => {
    expect(spokenText(text)).toBe(spoken);
  });

  it('takes time proportional to any text', async () => {
    for (const unit of [
      '*a ',
      '[a](',
      '`',
      '<b',
      '_a',
      '```\n',
      '| a ',
      '&',
      '![',
      '~~ ',
      '> ',
      '"(',
      '**a ',
      '***',
      ' \n',
      'https://',
      '<!--',
      '<script ',
      '&lt;',
      '~~~\n',
      '. ',
      'a',
    ]) {
      expect(await processorMs(() => spokenText(unit.repeat(20_000)))).toBeLessThan(1000);
    }
  });
});

describe('utterancesOf', () => {
  it('speaks sentence by sentence', () => {
    expect(utterancesOf('# Plan\nDr. Smith arrives at 3.15 p.m. today. He is *late*! Is that so?\n- milk')).toEqual([
      'Plan. Dr. Smith arrives at 3.15 p.m. today.',
      'He is late! Is that so?',
      'milk.',
    ]);
  });

  it('returns nothing for decoration alone', () => {
    expect(utterancesOf(' … 🙂 --- ')).toEqual([]);
  });
});
