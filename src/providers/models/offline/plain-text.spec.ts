import { describe, expect, it } from '@jest/globals';
import { withoutMarkdown } from './plain-text.js';

describe('a text without Markdown', () => {
  it.each([
    ['# Returns\n\nYou may return a kettle within **30 days**.', 'You may return a kettle within 30 days.'],
    ['Shop\n====\n\n## Hours\n\n- Monday: 9 to 5\n- *Sunday*: closed', 'Shop Monday: 9 to 5. Sunday: closed.'],
    ['| Bread | Price |\n| --- | ---: |\n| Rye | 4 € |', 'Bread, Price. Rye, 4 €.'],
    ['Day | Hours\nMonday | 9 to 17\nSaturday | 10 to 13', 'Day, Hours. Monday, 9 to 17. Saturday, 10 to 13.'],
    ['Use a | b for either.', 'Use a | b for either.'],
    ['> See [the list](https://example.com/prices) and `code`.', 'See the list and code.'],
    ['1. Open the lid\n2. Fill in water', 'Open the lid. Fill in water.'],
    ['```sh\nnpm start\n```', 'npm start'],
    ['# Only a heading', 'Only a heading'],
    ['2 * 3 * 4 = 24, and OPENAI_API_KEY stays as it is.', '2 * 3 * 4 = 24, and OPENAI_API_KEY stays as it is.'],
    ['Plain text.', 'Plain text.'],
  ])('%j', (markdown, plain) => {
    expect(withoutMarkdown(markdown)).toBe(plain);
  });
});
