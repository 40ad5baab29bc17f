import { describe, expect, it } from '@jest/globals';
import { titleFromTexts, cleanTitle } from './title-text.js';

describe("a title from a model's output", () => {
  it.each([
    ['Baking bread at home', 'Baking bread at home'],
    ['"Baking bread at home."', 'Baking bread at home'],
    ['\n\n# Title: **Baking bread**\nbecause of flour', 'Baking bread'],
    ['“Das Wetter von morgen”', 'Das Wetter von morgen'],
    ['', ''],
    ['  \n"."', ''],
    ['x'.repeat(500), 'x'.repeat(80)],
  ])('%j is %j', (answer, title) => {
    expect(cleanTitle(answer)).toBe(title);
  });
});

describe('a title from a conversation', () => {
  it.each([
    [['Hello!', 'How do I bake bread at home without an oven?'], 'How do I bake bread'],
    [['Thanks, hello! Please tell me about the tides.'], 'The tides'],
    [['Hi!', 'Could you tell me how the tides work in winter?'], 'How the tides work in winter'],
    [['hi'], ''],
    [['hi', 'bread'], 'Bread'],
    [['Good morning, what is the price of oak?'], 'What is the price of oak'],
    [[], ''],
    [['...', '\n'], ''],
  ])('%j', (texts, title) => {
    expect(titleFromTexts(texts)).toEqual(title);
  });

  it('is short for any conversation', () => {
    expect(titleFromTexts([`${'w'.repeat(500)} ${'v'.repeat(500)} x`]).length).toBeLessThanOrEqual(80);
  });
});
