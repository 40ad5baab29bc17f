import { contentWords, formatInstant, oneLine, type UserFact } from '../memory/index.js';

const DAY_MS = 86_400_000;
/** A fact that ended longer ago is not shown. */
const SHOWN_AFTER_END_MS = 90 * DAY_MS;

/** A fact as a line of a prompt. */
export interface ProfileLine {
  readonly memoryId: string;
  readonly line: string;
  readonly tokens: number;
}

export interface ProfileOptions {
  readonly question: string;
  /** Budget. */
  readonly tokens: number;
  /** Epoch ms. */
  readonly now: number;
  /** Tokens of a text. */
  readonly count: (text: string) => number;
}

/**
 * The facts about a user for a prompt, each on one line with its day, in the order in which the user told them. When they exceed the budget, those
 * that share words with the question are chosen, and then the newest.
 *
 * @param facts newest first
 */
export function profileLines(facts: readonly UserFact[], { question, tokens, now, count }: ProfileOptions): ProfileLine[] {
  const shown = facts.filter(({ validUntil }) => validUntil === null || now - validUntil < SHOWN_AFTER_END_MS);
  const lines = shown.map((fact) => ({ fact, line: lineOf(fact) })).map((each) => ({ ...each, cost: count(each.line) + 2 }));
  let left = tokens;
  const isWhole = lines.reduce((sum, { cost }) => sum + cost, 0) <= tokens;
  const chosen = (isWhole ? lines : byWords(lines, question)).filter(({ cost }) => {
    if (cost > left) return false;
    left -= cost;
    return true;
  });
  return chosen
    .sort((a, b) => a.fact.validFrom - b.fact.validFrom)
    .map(({ fact, line, cost }) => ({ memoryId: fact.id, line, tokens: cost }));
}

function byWords<T extends { readonly fact: UserFact }>(lines: readonly T[], question: string): T[] {
  const asked = contentWords(question);
  const shared = ({ fact }: T): number => [...contentWords(`${fact.key} ${fact.text}`)].filter((word) => asked.has(word)).length;
  return lines
    .map((each, index) => ({ each, index, score: shared(each) }))
    .sort(
      (a, b) => b.score - a.score || Number(a.each.fact.validUntil !== null) - Number(b.each.fact.validUntil !== null) || a.index - b.index,
    )
    .map(({ each }) => each);
}

function lineOf({ text, validFrom, validUntil, replaces }: UserFact): string {
  if (validUntil !== null) return `Until ${formatInstant(validUntil, false)}: ${oneLine(text)}`;
  return `${oneLine(text)} (${replaces === null ? '' : 'since '}${formatInstant(validFrom, false)})`;
}
