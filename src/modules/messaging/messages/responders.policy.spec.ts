import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { responders } from './responders.policy.js';

/** The reference implementation of a mention. */
function isNamed(text: string, name: string): boolean {
  const [said, wanted] = [text.toLowerCase(), name.toLowerCase()];
  const isWord = (character = ''): boolean => /[\p{L}\p{N}_]/u.test(character);
  return Array.from({ length: said.length }, (_, at) => at).some(
    (at) => said.startsWith(wanted, at) && !isWord(said[at - 1]) && !isWord(said[at + wanted.length]),
  );
}

const named = (text: string, names: readonly string[]): string[] =>
  responders(
    { content: text },
    ['Nobody at all', ...names].map((name, index) => ({ id: String(index), name })),
  ).map(({ name }) => name);

describe('the agents that a text names', () => {
  const part = fc.constantFrom('Ada', 'ada', 'Bo', 'b', ' ', ' ', '-', '@', '_', '9', 'É', '日本', '𝒜', '🤖', '.');
  const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
  const name = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));

  it('are those whose names occur as whole words', () => {
    fc.assert(
      fc.property(text, fc.array(name, { minLength: 1, maxLength: 5 }), (said, names) => {
        const wanted = names.filter((each) => isNamed(said, each));
        expect(named(said, names)).toEqual(wanted.length > 0 ? wanted : ['Nobody at all']);
      }),
      { numRuns: 2000 },
    );
  });

  it('are found among thousands', () => {
    const names = Array.from({ length: 3000 }, (_, index) => `Agent ${index}`);
    expect(named(`${'lorem ipsum '.repeat(8000)} agent 2999, and Agent 7!`, names)).toEqual(['Agent 7', 'Agent 2999']);
  });
});
