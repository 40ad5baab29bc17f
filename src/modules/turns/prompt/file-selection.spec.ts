import { describe, expect, it } from '@jest/globals';
import { selectTexts, type SelectableFile } from './file-selection.js';
import { scoresOf } from './passage-scores.js';

const FILLER = 'The weather was ordinary, the streets were quiet, and bread was baked as on every other day of that long year.';
const piece = (text: string, page: number | null = null): SelectableFile['pieces'][number] => ({ text, heading: '', page });
const long = (needle: string, at: number, count = 200): SelectableFile['pieces'] =>
  Array.from({ length: count }, (_, index) => piece(index === at ? needle : `${FILLER} ${index}`, index + 1));
const file = (name: string, pieces: SelectableFile['pieces'], when: SelectableFile['when'] = 'now'): SelectableFile => ({
  ...{ name, pieces, when },
});

describe('the texts of files in a prompt', () => {
  it('are whole when they fit', async () => {
    const [one, two] = await selectTexts([file('a', [piece('One.')]), file('b', [piece('Two.'), piece('Three.')], 'shown')], '', 1000);
    expect([one, two]).toMatchObject([
      { isWhole: true, positions: [0] },
      { isWhole: true, positions: [0, 1] },
    ]);
  });

  it.each([
    ['Where is the treasure?', 'The treasure lies under the lighthouse.'],
    ['Wie lange ist die Kündigungsfrist?', 'Die Kündigungsfristen betragen drei Monate.'],
    ['退货需要多少天？', '退货在三十天内免费。'],
    ['Сколько стоит доставка?', 'Доставка стоит пять рублей.'],
    ['And order AB-4711?', 'Order AB-4711 was sent on Monday.'],
    ['What is on page 121?', 'Nothing that anyone would ask about.'],
  ])('have what %j asks, the beginning, and parts of the whole', async (question, needle) => {
    const tokens = 1500;
    const [chosen] = await selectTexts([file('novel.pdf', long(needle, 120))], question, tokens);
    expect(chosen?.positions).toContain(120);
    expect(chosen?.positions[0]).toBe(0);
    expect(chosen?.positions.at(-1)).toBeGreaterThan(150);
    expect(chosen?.tokens).toBeLessThanOrEqual(tokens);
    expect(chosen?.positions).toEqual(chosen?.positions.toSorted((a, b) => a - b));
  });

  it('share a budget: the last message first, and a part for the messages before it', async () => {
    const files = [file('new', long('x', 0)), file('small', [piece('Small.')]), file('old', long('A heron nests here.', 7), 'shown')];
    const [newest, small, old] = await selectTexts(files, 'Where does the heron nest?', 2000);
    expect(small?.isWhole).toBe(true);
    expect(old?.positions).toContain(7);
    expect(newest!.tokens).toBeGreaterThan(old!.tokens);
    expect(newest!.tokens + small!.tokens + old!.tokens).toBeLessThanOrEqual(2000);
  });

  it('of past messages have only what the question asks', async () => {
    const files = [file('past', long('A heron nests here.', 7), 'past')];
    expect((await selectTexts(files, 'Where does the heron nest?', 2000))[0]?.positions).toEqual([7]);
    expect((await selectTexts(files, 'Thanks!', 2000))[0]?.positions).toEqual([]);
  });

  it('are none without a budget', async () => {
    expect(await selectTexts([file('a', [piece('One.')]), file('b', [piece('One, too.')], 'past')], 'One?', 0)).toEqual([
      { isWhole: false, positions: [], tokens: 0 },
      { isWhole: false, positions: [], tokens: 0 },
    ]);
  });
});

describe('scores of texts', () => {
  it('are 0 without a shared word, and higher for rarer and exact words', async () => {
    const texts = ['The deadline is in May.', 'The deadlines are many.', 'Bread is baked.', 'The bread is here.'];
    const [exact = 0, inflected = 0, none] = await scoresOf(
      'Deadline?',
      texts.map((text) => ({ text, page: null })),
    );
    expect(exact).toBeGreaterThan(inflected);
    expect(inflected).toBeGreaterThan(0);
    expect(none).toBe(0);
    expect(await scoresOf('', [])).toEqual([]);
  });
});
