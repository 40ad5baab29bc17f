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

const linesOf = (facts: readonly UserFact[], question: string, tokens: number) =>
  profileLines(facts, { question, tokens, now: NOW, count: estimateTokens });

describe("a user's facts in a prompt", () => {
  it('are in the order of the statements, with the times of changes', () => {
    const facts = [
      fact('Lives in Rome.', 10, { replaces: 'x' }),
      fact('Lives in Paris.', 50, { validUntil: NOW - 10 * DAY_MS }),
      fact('Likes\ntea.', 60),
      fact('Lives in Oslo.', 300, { validUntil: NOW - 91 * DAY_MS }),
    ];
    expect(linesOf(facts, 'Hello', 600).map(({ line }) => line)).toEqual([
      'Likes tea. (2026-04-02)',
      'Until 2026-05-22: Lives in Paris.',
      'Lives in Rome. (since 2026-05-22)',
    ]);
  });

  it('are selected by the words of the question, then the newest, when they exceed the budget', () => {
    const facts = Array.from({ length: 50 }, (_, index) => fact(`Knows the village number ${index}.`, index));
    facts.push(fact('Has a cat called Otto.', 90));
    const lines = linesOf(facts, 'How old is my cat?', 60).map(({ line }) => line);
    expect(lines[0]).toMatch(/^Has a cat called Otto\. \(\d{4}-\d{2}-\d{2}\)$/);
    expect(lines.at(-1)).toMatch(/^Knows the village number 0\. /);
    expect(lines.length).toBeLessThan(12);
    expect(linesOf(facts, 'cat', 0)).toEqual([]);
  });
});
