import { describe, expect, it } from '@jest/globals';
import { estimateTokens } from '../../providers/models/index.js';
import type { UserFact } from '../memory/index.js';
import { profileLines } from './profile-lines.js';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 5, 1);
const fact = (text: string, daysAgo: number, more: Partial<UserFact> = {}): UserFact => ({
  ...{ id: text, text, key: '', validFrom: NOW - daysAgo * DAY_MS, validUntil: null, replaces: null, sources: ['m'] },
  ...more,
});

const linesOf = (facts: readonly UserFact[], question: string, tokens: number, scores?: Map<string, number>) =>
  profileLines(facts, { heading: ['# What you know'], question, scores, tokens, now: NOW, count: estimateTokens });

describe("a user's facts in a prompt", () => {
  it('are in the order of the statements, with the times of changes', () => {
    const facts = [
      fact('Lives in Rome.', 10, { replaces: 'Lives in Paris.' }),
      fact('Lives in Paris.', 50, { validUntil: NOW - 10 * DAY_MS }),
      fact('Likes\ntea.', 60),
      fact('Has a cat.', 60),
      fact('Lives in Oslo.', 300, { validUntil: NOW - 91 * DAY_MS }),
    ];
    expect(linesOf(facts, 'Hello', 600)).toMatchObject({
      heading: ['# What you know'],
      lines: ['2 Apr: Likes tea. | Has a cat.', '12 Apr until 22 May: Lives in Paris.', '22 May: Lives in Rome.'],
    });
  });

  it('are selected by their scores, then by the words of the question, then the newest, when they exceed the budget', () => {
    const facts = Array.from({ length: 50 }, (_, index) => fact(`Knows the village number ${index}.`, index));
    facts.push(fact('Has a cat called Otto.', 90));
    const { lines, tokens } = linesOf(facts, 'How old is my cat?', 60);
    expect(lines[0]).toBe('3 Mar: Has a cat called Otto.');
    expect(lines.at(-1)).toBe('1 Jun: Knows the village number 0.');
    expect(lines.length).toBeLessThan(12);
    expect(estimateTokens(['# What you know', ...lines.map((line) => `- ${line}`)].join('\n'))).toBe(tokens);
    expect(tokens).toBeLessThanOrEqual(60);
    expect(linesOf(facts, 'cat', 0)).toMatchObject({ heading: [], lines: [], tokens: 0 });
    const scored = linesOf(facts, 'cat', 30, new Map([['Knows the village number 40.', 0.5]])).lines;
    expect(scored).toContain('22 Apr: Knows the village number 40.');
  });

  it('show a fact that was replaced only with what replaced it', () => {
    const [was, now] = [
      fact('Lives in Paris.', 50, { validUntil: NOW - 10 * DAY_MS }),
      fact('Lives in the old town of Rome now, near the river.', 10, { replaces: 'Lives in Paris.' }),
    ];
    const scores = new Map([['Lives in Paris.', 0.9]]);
    expect(linesOf([now, was], 'Paris', 60, scores).lines).toEqual([
      '12 Apr until 22 May: Lives in Paris.',
      '22 May: Lives in the old town of Rome now, near the river.',
    ]);
    expect(linesOf([now, was], 'Paris', 20, scores).lines).toEqual([]);
    expect(linesOf([now, was], 'Paris', 24, scores).lines).toEqual(['22 May: Lives in the old town of Rome now, near the river.']);
  });
});
